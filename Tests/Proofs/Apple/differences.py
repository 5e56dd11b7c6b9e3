"""The findings that can differ between the platforms, so that most functions need to be checked for one of them only.

All functions are checked for the first platform. For each other one, all functions of a module are checked if

- one of its lists of versions is not that of one release: then the order of versions differs between platforms,
- a condition on the platform changes a declaration of the module, or
- one of these is true of a module that it depends on.

The functions of a single file are checked if

- it has a condition on the platform, in functions, or
- it uses a declaration or macro of a C header that differs between the platforms.
"""

import re
import subprocess

import kit

# Conditions such as `#if os(Linux)` are the same on all of Apple's platforms. So is `canImport` here, since all have the
# same stand-ins.
CONDITION = re.compile(
    r"#\s*(?:if|elseif)\b.*\b(?:os\s*\(\s*(?!Linux\b)|(?:targetEnvironment|arch|_pointerBitWidth)\s*\()")
# A list of versions, without strings and comments.
LIST = re.compile(r"(?:[@#](?:un)?available|@backDeployed)\s*\(([^()]*)\)")
SYSTEM = re.compile(
    r"\b((?:macOS|OSX|macCatalyst|iOS|tvOS|watchOS|visionOS|xrOS)(?:ApplicationExtension)?)\b(?:\s+(\d+(?:\.\d+)*))?")
SYSTEMS = ("macOS", "iOS", "tvOS", "watchOS", "visionOS")


def has_condition(text):
    """Whether there is other code for some of Apple's platforms."""
    return any(CONDITION.search(line) for line in text.splitlines())


def differing_files(files, names):
    """Those whose functions can have other findings on other platforms."""
    return [file for file in files if has_condition(text := file.read_text())
            or not names.isdisjoint(words(text))]


def words(text):
    """Those of the code, without lines of comments. In a string of several lines, such a line can have code, too."""
    return re.findall(r"\w+", re.sub(r"^\s*//(?!.*\\\().*", "", text, flags=re.M))


class Releases:
    """The releases of the platforms, as lists of versions name them."""

    def __init__(self, versions, library):
        """The oldest versions, and the texts of the library's modules."""
        self.oldest = [kit.number(versions[system.lower()]) for system in SYSTEMS]
        self.known = {tuple(self.oldest)}
        self.are_known = all([self.names_releases(text) for text in library])

    def names_releases(self, text):
        """Whether each list names one release, so that what is too new for one platform is too new for all."""
        code = re.sub(r'"(?:[^"\\\n]|\\.)*"|//.*', "", text)
        return all([self.is_release(match.group(1)) for match in LIST.finditer(code)])

    def is_release(self, content):
        versions = dict(SYSTEM.findall(content))
        if not versions:
            # For example, a deprecation on all platforms.
            return True
        if not set(SYSTEMS[:4]) <= set(versions) <= set(SYSTEMS) or not all(versions.values()):
            return False
        versions.setdefault("visionOS", kit.visionos_version(versions["iOS"]))
        # Versions before the oldest are as good as those.
        release = tuple(max(kit.number(versions[system]), oldest) for system, oldest in zip(SYSTEMS, self.oldest))
        is_in_order = all(self.have_one_order(release, other) for other in self.known)
        self.known.add(release)
        return is_in_order

    def have_one_order(self, first, second):
        orders = [(a > b) - (a < b) for a, b in zip(first, second)]
        # visionOS is younger: several older releases of the others are its first one.
        if first[4] == second[4] == self.oldest[4]:
            orders.pop()
        return len(set(orders)) == 1


def differing_names(platforms, versions, targets):
    """The names of C that are not the same on all platforms."""
    headers = "".join(f"#include <{name}.h>\n" for names in kit.C_MODULES.values() for name in names.split())
    folders = [target.folder / "include" for target in targets if target.is_c]
    headers += "#import <Foundation/Foundation.h>\n"
    headers += "".join(f'#include "{file}"\n' for folder in folders for file in sorted(folder.glob("*.h")))
    names = missing_names(read_headers(platforms[0], headers, "-fsyntax-only", "-Xclang", "-ast-dump"), versions)
    texts = [preprocessed(platform, headers) for platform in platforms]
    same = set.intersection(*map(set, texts))
    known = {word for line in same for word in re.findall(r"\w+", line)}
    for text in texts:
        owner = ""
        for line in text:
            if line.startswith("@interface"):
                owner = line
            if line in same or (line.startswith(("-", "+", "@property")) and owner not in same):
                # Nothing uses a member without the name of its class.
                continue
            macro = re.match(r"#define (\w+)", line)
            names |= {macro.group(1)} if macro else set(re.findall(r"\w+", line)) - known
    return names


def read_headers(platform, headers, *options):
    result = subprocess.run(
        ["clang", "-target", platform.triple, "-isysroot", platform.sdk, "-fblocks", "-x", "objective-c", *options, "-"],
        text=True, capture_output=True, input=headers)
    if result.returncode:
        raise kit.Failure(f"the headers do not compile for {platform.name}:\n{result.stderr[:6000]}")
    return result.stdout


def preprocessed(platform, headers):
    """The lines of the headers that the compiler reads, without availability, which has the same text everywhere."""
    text = read_headers(platform, headers, "-E", "-dD", "-P")
    text = re.sub(r"__attribute__\(\(availability\(.*?\)\)\)", "", text)
    return [line.strip() for line in text.splitlines()]


OWNER = re.compile(r"^([|`\- ]*)\w+Decl 0x")
ATTRIBUTE = re.compile(r"^([|`\- ]*)AvailabilityAttr 0x\w+ <.*?>.*? (\w+) ([\d.]+) [\d.]+ [\d.]+( Unavailable)? \"")


def missing_names(tree, versions):
    """The names of the declarations in a syntax tree that not all of the oldest versions have."""
    owners, found = {}, set()
    for line in tree.splitlines():
        if owner := OWNER.match(line):
            owners[len(owner.group(1))] = line
        elif attribute := ATTRIBUTE.match(line):
            indent, system, version, is_missing = attribute.groups()
            oldest = versions.get({"xros": "visionos"}.get(system, system))
            if oldest and (is_missing or kit.number(version) > kit.number(oldest)):
                found.add(owners[len(indent) - 2])
    # The name is the last word before the type.
    return {name for line in found
            for name in re.sub(r"( definition)?( '.*)?$", "", line).split()[-1].split(":") if name}
