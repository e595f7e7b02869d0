"""Grades a class: every submission in a sandbox that knows no answer.

The parent's side (`grader`) holds tasks, references and seeds, the student's side
(`student_side`) runs the notebook and knows none of them. Between them go plain data.
"""
