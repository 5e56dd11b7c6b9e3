"""The files whose functions can differ between platforms.

The compiler checks all functions for the first platform. For another one, its findings in a file are the same, unless
the file

- has a condition on the platform,
- uses a declaration that another file has in such a condition, or
- uses a declaration of C that some of the platforms lack.

Versions do not matter, because all lists of them have one order, which `disorder` checks: what is too new for the
oldest macOS is too new for the oldest iOS, tvOS and watchOS. visionOS has fewer versions, so more is available there.
"""

import itertools
import re
import subprocess

import kit

SYSTEMS = ("macos", "ios", "tvos", "watchos")
# A list of versions of several platforms.
LIST = re.compile(r"(?:@|#)(?:un)?available\s*\(((?:[^()]|\([^()]*\))*)\)")
SYSTEM = re.compile(r"\b(macOS|iOS|tvOS|watchOS|visionOS)\b(?: ([\d.]+))?")
CONDITION = re.compile(
    r"^\s*#(?:if|elseif)\b.*\b(?:os\s*\(\s*(?!Linux\b)|(?:targetEnvironment|arch|_pointerBitWidth)\s*\()")
DIRECTIVE = re.compile(r"^\s*#(if|endif)\b")
TYPE = re.compile(r"\b(?:struct|class|actor|enum|protocol|typealias|extension) +(?:\w+\.)*`?(\w+)")
MEMBER = re.compile(r"\b(?:func|var|let|case|associatedtype|macro) +`?(\w+)")
# A use of such a declaration is seen by its type only.
WITHOUT_NAME = re.compile(r"\b(?:init|subscript)\b|\bfunc +[^\w`\s]")


def number(text):
    return tuple(int(part) for part in (text.split(".") + ["0", "0"])[:3])


def has_condition(text):
    """Whether there is other code for some of Apple's platforms, which can all import the same."""
    return any(CONDITION.match(line) for line in text.splitlines())


class Differences:
    """The names that differ between the platforms, and the files that use them."""

    def __init__(self, targets, versions, sdk):
        self.names = set(missing_in_c(versions, sdk))
        for target in targets:
            for file in target.varying:
                self.names |= conditional_names(file.read_text())

    def files(self, target):
        """The files of the target that the compiler checks for each platform."""
        return [file for file in target.sources
                if has_condition(text := file.read_text()) or not self.names.isdisjoint(words(text))]


def words(text):
    """The words of the code, without comments on lines of their own."""
    return re.findall(r"\w+", re.sub(r"^\s*//.*", "", text, flags=re.M))


def conditional_names(text):
    """The declarations in conditions on the platform, with all their branches, and the types that they extend."""
    names, depth, start = set(), 0, None
    for line in text.splitlines():
        directive = DIRECTIVE.match(line)
        if directive and directive.group(1) == "if":
            depth += 1
        if start is None and CONDITION.match(line):
            start = depth
        if start is not None:
            names.update(TYPE.findall(line), MEMBER.findall(line))
            if WITHOUT_NAME.search(line):
                names.update(TYPE.findall(text))
        if directive and directive.group(1) == "endif":
            if start == depth:
                start = None
            depth -= 1
    return names


OWNER = re.compile(r"^([|`\- ]*)\w+Decl 0x")
ATTRIBUTE = re.compile(r"^([|`\- ]*)AvailabilityAttr 0x\w+ <.*?>.*? (\w+) ([\d.]+) [\d.]+ [\d.]+( Unavailable)? \"")


def missing_in_c(versions, sdk):
    """The names of declarations of C and Objective-C that not all of the oldest versions have."""
    source = "".join(f"#include <{name}.h>\n" for names in kit.C_MODULES.values() for name in names.split())
    result = subprocess.run(
        ["clang", "-target", f"x86_64-apple-macosx{versions['macos']}", "-isysroot", sdk, "-fsyntax-only", "-fblocks",
         "-x", "objective-c", "-Xclang", "-ast-dump", "-"], text=True, capture_output=True,
        input=source + "#import <Foundation/Foundation.h>\n")
    if result.returncode:
        raise kit.Failure(f"the headers do not compile:\n{result.stderr[:6000]}")
    owners, found = {}, {}
    for line in result.stdout.splitlines():
        if owner := OWNER.match(line):
            owners[len(owner.group(1))] = line
        elif attribute := ATTRIBUTE.match(line):
            indent, system, version, is_missing = attribute.groups()
            oldest = versions.get({"xros": "visionos"}.get(system, system))
            if oldest and (is_missing or number(version) > number(oldest)):
                found[owners[len(indent) - 2]] = None
    # The name is the last word before the type.
    return {name for line in found
            for name in re.sub(r"( definition)?( '.*)?$", "", line).split()[-1].split(":") if name}


def disorder(texts, versions):
    """The lists of versions, by the names of the texts, that contradict the order of another one, or the oldest
    versions. Versions before the oldest are as good as those."""
    oldest = {system: number(versions[system]) for system in SYSTEMS}
    lists = {tuple(oldest.values()): "the manifest"}
    findings = []
    for name, text in texts.items():
        for match in LIST.finditer(text):
            words = SYSTEM.findall(re.sub(r'".*?"', "", match.group(1)))
            found = {system.lower(): number(version) for system, version in words if version}
            if words and not set(SYSTEMS) <= set(found):
                findings.append(f"{name}: error: {match.group()} needs versions of macOS, iOS, tvOS and watchOS")
            elif words:
                lists.setdefault(tuple(max(found[system], oldest[system]) for system in SYSTEMS),
                                 f"{name}: error: {match.group()}")
    for (first, _), (second, name) in itertools.combinations(lists.items(), 2):
        if len({(a > b) - (a < b) for a, b in zip(first, second)}) != 1:
            findings.append(f"{name} is not of one release of the platforms")
    return list(dict.fromkeys(findings))
