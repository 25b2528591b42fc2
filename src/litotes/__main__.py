"""python -m litotes"""

from litotes.cli import main

main()
