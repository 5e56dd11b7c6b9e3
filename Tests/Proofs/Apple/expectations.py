"""Tests without the expansions of their macros.

The expansions of `#expect`, `#require`, `@Test` and `@Suite` take more than half of the time of a module of tests. The
unit tests compile them on Linux, from the same sources, and only the arguments can differ on Apple's platforms. So
functions with the same parameters, which `StandIns/Testing.swiftinterface` declares, take the places of expectations.
Their names are as long as the macros', so that columns in messages are right. The attributes, whose arguments the
compiler checks in any case, expand to nothing, see `kit.interface`.
"""

import re

# An expectation about the end of a process has a closure that is compiled like a test.
MACRO = re.compile(r"#(expect|require)(?=\((?!\s*processExitsWith:))")


def replaced(target, folder):
    """The sources of the target; those with expectations are copied to the folder."""
    return [copy(file, folder / target.module / f"{number}-{file.name}") or file
            for number, file in enumerate(target.sources)]


def copy(file, place):
    text = file.read_text()
    result, count = MACRO.subn(r"_\1", text)
    if count == 0:
        return None
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f'#sourceLocation(file: "{file}", line: 1)\n{result}')
    return place
