"""One module per data set: its loader, and its record `DATA_SET` with its benchmarks.

To add a benchmark, copy a module that is close to it (nevir.py) and add one row per file to ../catalogue.tsv. The
modules mteb, lm_eval and your_files have `BENCHMARKS` without files.
"""
