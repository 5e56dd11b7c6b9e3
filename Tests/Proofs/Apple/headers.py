"""The names that the system's headers of C and Objective-C do not declare alike on all platforms.

Clang's syntax trees and the macros are compared. A declaration differs if its text is not the same on all platforms, if
a platform's oldest version does not have it, if one deprecates it, or if a type or macro in its text differs.
"""

import re
import subprocess
from typing import NamedTuple

import kit

IMPORTS = "".join(f"#import <{name}.h>\n" for names in kit.C_MODULES.values() for name in names.split())
IMPORTS += "#import <Foundation/Foundation.h>\n"
# Addresses, places in files, flags for the compiler's own use, and the type behind BOOL.
NOISE = re.compile(
    r" 0x[0-9a-f]+|<<.*?>.*?>|<[^<>\n]*>(?:, <[^<>\n]*>|, [\w:]+)*>?|\b(?:line|col):[\d:]+|(?:/\S+)?:\d+:\d+|"
    r"\b(?:referenced|used|implicit|Implicit|Inherited|prev)\b|(?<='BOOL'):'(?:signed char|bool)'")
NODE = re.compile(r"([|`\- ]*)(\w*)(.*)")
# The members of a category belong to its class. Swift does not use the names of parameters.
WITHOUT_NAME = ("TranslationUnitDecl", "ObjCCategoryDecl", "ParmVarDecl", "ImplicitParamDecl")
AVAILABILITY = re.compile(r'\s+(\w+) ([\d.]+) ([\d.]+) ([\d.]+)( Unavailable)? "')


class Declaration(NamedTuple):
    kind: str
    # The names of the types around it.
    owners: tuple
    name: str
    # The text that is compared.
    content: str

    @property
    def path(self):
        return (*self.owners, self.name)

    @property
    def swift_names(self):
        """The names that Swift can have for it."""
        if own := re.search(r'SwiftNameAttr.* "(.*)"', self.content):
            return {self.name, *re.findall(r"\w+", own.group(1))}
        first = self.name.split(":")[0]
        found = {first, first.removeprefix("NS")}
        if "SwiftPrivateAttr" in self.content:
            found.add(f"__{first}")
        if self.kind.startswith(("ObjCMethod", "ObjCProperty", "EnumConstant")):
            # Swift omits words of types at the end of a method's name, and at the beginning of a constant's name.
            parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|_+", first)
            for count in range(1, len(parts)):
                found |= {"".join(parts[:count]), *spellings("".join(parts[count:]))}
        return found


def spellings(name):
    return {name, name[:1].lower() + name[1:]}


def differing_names(platforms, versions, headers):
    """The names of C with which a file can have other findings on another platform. The headers are text that imports
    them."""
    oldest = {system: kit.number(version) for system, version in versions.items()}
    found, unavailable = [], set()
    for platform in platforms:
        own, old = declarations(read(platform, headers, "-fsyntax-only", "-Xclang", "-ast-dump"), oldest)
        found.append(own | macros(read(platform, headers, "-E", "-dM")))
        unavailable |= old
    every = set.union(*found)
    common = set.intersection(*[{declaration.path for declaration in own} for own in found])
    # Without a type, nothing uses its members.
    usable = {declaration for declaration in every if not declaration.owners or declaration.owners in common}
    differing = usable & ((every - set.intersection(*found)) | unavailable)
    differing |= users(differing, usable)
    return {name for declaration in differing for name in declaration.swift_names if name}


def users(differing, usable):
    """The declarations with one of these in their text, or as a member, and those that have them, and so on."""
    by_word, by_path = {}, {}
    for declaration in usable:
        by_path.setdefault(declaration.path, set()).add(declaration)
        for word in words_of_types(declaration):
            by_word.setdefault(word, set()).add(declaration)
    found, waiting = set(), list(differing)
    while waiting:
        declaration = waiting.pop()
        new = by_word.get(declaration.name, set()) | by_path.get(declaration.owners, set())
        new -= differing | found
        found |= new
        waiting += new
    return found


def words_of_types(declaration):
    """The words of the types in its text, or of a macro's definition."""
    if declaration.kind == "Macro":
        return set(re.findall(r"\w+", declaration.content)) - {declaration.name}
    return set(re.findall(r"\w+", " ".join(re.findall("'(.*?)'", declaration.content)))) - {declaration.name}


def read(platform, headers, *options):
    result = subprocess.run(
        ["clang", "-target", platform.triple, "-isysroot", platform.sdk, "-fblocks", "-x", "objective-c", *options,
         "-"], text=True, capture_output=True, input=headers)
    if result.returncode:
        raise kit.Failure(f"the headers do not compile for {platform.name}:\n{result.stderr[:6000]}")
    return result.stdout


def macros(text):
    return {Declaration("Macro", (), match.group(1), match.group(0))
            for match in re.finditer(r"^#define (\w+).*", text, re.M)}


def declarations(tree, oldest):
    """All declarations of a syntax tree, and those whose use can be reported because of their availability."""
    found, unavailable = set(), set()
    # Those around the line: depth, kind, name, text, and whether they are unavailable.
    stack = []
    # The text of a type without a name, which belongs to the name that the next line declares.
    unnamed = []

    def close(depth):
        while stack and stack[-1][0] >= depth:
            _, kind, name, lines, is_unavailable = stack.pop()
            declaration = Declaration(kind, tuple(name for _, _, name, _, _ in stack), name, "\n".join(lines))
            # Swift has one type for its definitions.
            if name != "BOOL":
                found.add(declaration)
            if is_unavailable:
                unavailable.add(declaration)
            if stack and not stack[-1][2]:
                stack[-1][3].extend(lines)
            unnamed[:] = [] if name else lines

    for line in NOISE.sub("", tree).splitlines():
        indent, kind, text = NODE.match(line).groups()
        close(len(indent))
        if kind.endswith("Decl") and kind not in WITHOUT_NAME:
            stack.append([len(indent), kind, name_in(text), [text, *unnamed], False])
            unnamed.clear()
        elif stack and kind == "AvailabilityAttr" and not text.strip().startswith("swift "):
            stack[-1][4] |= is_reported(*AVAILABILITY.match(text).groups(), oldest)
        elif stack and kind != "AsmLabelAttr":
            stack[-1][3].append(kind + text)
    close(0)
    return found, unavailable


def name_in(text):
    """The last word before the type; nothing for a `struct` without a name."""
    words = re.sub(r"( definition)?( '.*)?$", "", text).split()
    return words[-1] if words and words[-1] not in ("struct", "union", "enum") else ""


def is_reported(system, introduced, deprecated, obsoleted, is_unavailable, oldest):
    """Whether a use of it can be reported on this system."""
    own = oldest.get({"xros": "visionos"}.get(system, system))
    return bool(own) and bool(
        is_unavailable or kit.number(introduced) > own or deprecated != "0" or obsoleted != "0")
