"""Measurements; each module is a program of its own."""

import os

# As the command does, and before anything here loads numpy, which reads it then. With more threads a process that is
# not alone on a machine counts fifty times the CPU for a village of fifteen: they wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
