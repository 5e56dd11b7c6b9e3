"""The findings that can differ between the platforms, so that most functions need to be checked for one of them only.

All functions are checked for the first platform. For each other one, all functions of a module are checked if

- one of its lists of versions is not that of one release: then the order of versions differs between platforms,
- a declaration of the module differs, because of a condition on the platform or of a name of C, or
- one of these is true of a module that it depends on, or that is a module of C with headers that differ.

The functions of a single file are checked if it has a condition on the platform, or if it contains a name of the
system's headers whose declaration differs between the platforms, see headers.py. A few findings depend on the bodies of
functions in other files, such as that a weak reference is nil. They can be missed.
"""

import re

import kit

# Conditions that are the same on all of Apple's platforms. Other modules can be missing on some: only macOS has those
# of tests and plugins.
MODULES = "Darwin|Glibc|Musl|Foundation|FoundationEssentials|FoundationNetworking|SQLite3|SwiftUI|os"
SAME = rf"!?(?:os\(Linux\)|canImport\((?:{MODULES})\)|ONE_MODULE|DEBUG|Signposts)"
CONDITION = re.compile(rf"#(?:if|elseif)\b(?!\s+{SAME}(?:\s*(?:&&|\|\|)\s*{SAME})*\s*(?://.*)?$)", re.M)
# A list of versions. It is not read further than a comment. After a quote, it is the beginning of a string.
STRING = r'"(?:[^"\\\n]|\\.)*"'
LIST = re.compile(
    rf'(?<!")(?:[@#](?:un)?available|@_spi_available|@backDeployed)\b(?:\s*\(((?:[^()"/]|{STRING})*)\))?')
SYSTEM = re.compile(
    r"\b((?:macOS|OSX|macCatalyst|iOS|tvOS|watchOS|visionOS|xrOS)(?:ApplicationExtension)?)\b(?:\s+(\d+(?:\.\d+)*))?")
SYSTEMS = ("macOS", "iOS", "tvOS", "watchOS", "visionOS")


def has_condition(text):
    """Whether there is other code for some of Apple's platforms."""
    return CONDITION.search(text) is not None


def differing_files(files, names):
    """Those whose functions can have other findings on other platforms."""
    return [file for file in files if has_condition(text := file.read_text())
            or not names.isdisjoint(words(text))]


def words(text):
    """Those of the code, without lines of comments. In a string of several lines, such a line can have code, too."""
    return re.findall(r"\w+", re.sub(r"^\s*//(?!.*(?:\\#*\(|\*/)).*", "", text, flags=re.M))


def shows_bodies(text):
    """Whether the findings in callers can depend on the bodies of a differing file. The compiler inserts transparent
    functions before it analyses callers, and knows the type behind an opaque one."""
    return "@_transparent" in text or (has_condition(text) and re.search(r"\bsome\s+[A-Z(~]", text) is not None)


class Releases:
    """The releases of the platforms, as lists of versions name them."""

    def __init__(self, versions, library):
        """The oldest versions, and the texts of the library's modules."""
        self.oldest = tuple(kit.number(versions[system.lower()]) for system in SYSTEMS)
        self.known = {self.oldest}
        # A list, since each of them must be read.
        self.are_known = all([self.is_known(content) for text in library for content in lists(text)])
        # Those of the sources that are the first one of visionOS, and newer than the oldest one of other systems.
        self.early = set()

    def names_releases(self, text):
        """Whether each list names one release. Then code is too new for all platforms or for none, and so is a check
        unnecessary."""
        contents = lists(text)
        are_known = all([self.is_known(content) for content in contents])
        self.early |= {release for release in map(self.release, contents)
                       if release and release[4] == self.oldest[4] and release != self.oldest}
        return are_known and len(self.early) <= 1

    def is_known(self, content):
        """Whether the order of its versions and others is the same on all platforms."""
        if content == "":
            return False
        if not SYSTEM.search(content):
            # For example, a deprecation on all platforms.
            return True
        release = self.release(content)
        if not release:
            return False
        is_in_order = all(self.have_one_order(release, other) for other in self.known)
        self.known.add(release)
        return is_in_order

    def release(self, content):
        """Its versions, of which those before the oldest are as good as those; None if one is missing."""
        versions = dict(SYSTEM.findall(content))
        if not set(SYSTEMS[:4]) <= set(versions) <= set(SYSTEMS) or not all(versions.values()):
            return None
        versions.setdefault("visionOS", kit.visionos_version(versions["iOS"]))
        return tuple(max(kit.number(versions[system]), oldest) for system, oldest in zip(SYSTEMS, self.oldest))

    def have_one_order(self, first, second):
        orders = [(a > b) - (a < b) for a, b in zip(first, second)]
        # visionOS is younger: several older releases of the others are its first one.
        if first[4] == second[4] == self.oldest[4]:
            orders.pop()
        return len(set(orders)) == 1


def lists(text):
    """The contents of the lists of versions, without strings; nothing of one that cannot be read."""
    return [re.sub(STRING, "", content) for content in LIST.findall(text)]
