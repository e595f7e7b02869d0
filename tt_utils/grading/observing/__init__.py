"""Uses a learner's answer and hands on plain data. It knows no task.

`observe` runs it `in_process` or `in_thread`; `attempt` is one use on one check's
inputs, `probes` the ways to use it; `plain_values` and `observation_bytes` carry what
came of it.
"""
