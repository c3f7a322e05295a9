#!/usr/bin/env python3
"""generate.py KIND N: prints a log that is made to hurt, of a size in proportion to N.

Without arguments, prints the kinds. Each kind is a function of one of the modules below; its first
line says what it attacks. attacks.py runs supprof on each at N and 2 N.
"""
import inspect
import sys

import foreign_lines
import names_and_ids
import stacks_and_threads
import ticks_and_counts

KINDS = {
    name.replace("_", "-"): function
    for module in (stacks_and_threads, names_and_ids, ticks_and_counts, foreign_lines)
    for name, function in vars(module).items()
    if inspect.isfunction(function)
    and function.__module__ == module.__name__
    and not name.startswith("_")
}


def main():
    if len(sys.argv) != 3:
        for name, function in KINDS.items():
            print("%-26s %s" % (name, " ".join(inspect.getdoc(function).split())))
        return
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))


if __name__ == "__main__":
    main()
