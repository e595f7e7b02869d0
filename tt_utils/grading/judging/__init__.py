"""Says what is wrong with an answer, and which mistake it is.

It runs no learner's code: `known_answers` runs the task's own right answers and
mistakes, `compare` and `diagnosis` hold what a learner's answer gave against them.
`task_audit` does so for a teacher who writes a task.
"""
