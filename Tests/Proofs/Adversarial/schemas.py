#!/usr/bin/env python3
"""Runs the generator on schemas that try to inject code into its output.

    schemas.py --generator PROGRAM --modules FOLDER

Each of 42 texts is put into each of 14 places of a schema, as an introspection result and, verbatim, in
SDL. Either the generator refuses it with a diagnostic that contains a location, and writes nothing. Or its
output has the same tokens as for a harmless text, is in its folder only, and compiles. Names that are
allowed in GraphQL and have a meaning in Swift must compile.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TEXTS = [
    "*/ evil() /*", "/* evil()", '""" evil() """', '"""', "\\(evil())", "\\", '\\"', '" + evil() + "',
    "a\nevil()", "a\revil()", "a\r\nevil()", "a\u2028evil()", "a\u2029evil()", "a\u0085evil()",
    "a\u000bevil()", "a\u000cevil()", "a\u0000evil()", "a\u001b[31mevil()", "`evil()`", "``` evil()",
    "\u202e})(live\u202c", "\u2066evil()\u2069", "\u200fevil()", "\ufeffevil()", "\U000e0041evil()",
    "../../evil", "/tmp/evil", "..\\evil", "evil.swift\u0000.txt", "#if false", "\n#endif\n",
    '#sourceLocation(file: "x", line: 1)', '#"evil"#',
]
# Allowed in GraphQL, with a meaning in Swift.
NAMES = ["init", "self", "Type", "Protocol", "_", "class", "Any", "GraphQL", "Self"]
HARMLESS = "harmless"
NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*\Z")

STRING = {"kind": "SCALAR", "name": "String", "ofType": None}


def value(name, default, description, type=STRING):
    return {"name": name, "description": description, "type": type, "defaultValue": default}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


# The places of a text: the part of a schema that it replaces, as an introspection result and in SDL.
PLACES = {
    "type name": {"type": "%"},
    "interface name": {"interface": "%"},
    "field name": {"field": "%"},
    "argument name": {"argument": "%"},
    "enum value name": {"value": "%"},
    "input field name": {"input_field": "%"},
    "directive name": {"directive": "%"},
    "scalar name": {"scalar": "%"},
    "description": {"description": "%"},
    "deprecation reason": {"reason": "%"},
    "default value": {"default": "quoted"},
    # The default of a custom scalar, which accepts any literal.
    "default value, raw": {"default": "%", "input": "Stuff"},
    "default value of a directive's argument": {"directive_default": "quoted"},
    "file name": {"type": "%", "per_type": True},
}


def parts(place, text):
    found = {
        "type": "Thing", "interface": "Node", "field": "plain", "argument": "first", "value": "ONE",
        "input_field": "words", "directive": "mark", "scalar": "Stuff", "description": "d",
        "reason": "r", "input": "String", "default": '"x"', "directive_default": '"x"',
    }
    for key, form in PLACES[place].items():
        if key != "per_type":
            found[key] = {"quoted": quoted(text), "%": text}.get(form, form)
    return found


def introspection(p):
    def field(name, type, args=()):
        return {
            "name": name, "description": p["description"], "args": list(args), "type": type,
            "isDeprecated": True, "deprecationReason": p["reason"],
        }

    def kind(kind, name, **more):
        empty = {"fields": None, "inputFields": None, "interfaces": None, "enumValues": None,
                 "possibleTypes": None}
        return {"kind": kind, "name": name, "description": p["description"], **empty, **more}

    thing = {"kind": "OBJECT", "name": p["type"], "ofType": None}
    node = {"kind": "INTERFACE", "name": p["interface"], "ofType": None}
    stuff = {"kind": "SCALAR", "name": p["scalar"], "ofType": None}
    taken = {"kind": "SCALAR", "name": p["input"], "ofType": None}
    members = [
        field(p["field"], STRING, [value(p["argument"], p["default"], p["description"], taken)]),
        field("stuff", stuff),
    ]
    types = [
        kind("OBJECT", "Query", interfaces=[],
             fields=[field("thing", thing), field("node", node)]),
        kind("OBJECT", p["type"], interfaces=[node], fields=members),
        kind("INTERFACE", p["interface"], interfaces=[], possibleTypes=[thing], fields=members),
        kind("UNION", "Found", possibleTypes=[thing]),
        kind("ENUM", "Kind", enumValues=[
            {"name": p["value"], "description": p["description"], "isDeprecated": True,
             "deprecationReason": p["reason"]},
            {"name": "OTHER", "description": None, "isDeprecated": False,
             "deprecationReason": None}]),
        kind("INPUT_OBJECT", "Filter",
             inputFields=[value(p["input_field"], p["default"], p["description"], taken)]),
        kind("SCALAR", p["scalar"]), kind("SCALAR", "String"), kind("SCALAR", "Boolean"),
    ]
    directive = {
        "name": p["directive"], "description": p["description"], "locations": ["FIELD"],
        "args": [value("text", p["directive_default"], p["description"])],
    }
    return json.dumps({"data": {"__schema": {
        "description": p["description"], "queryType": {"name": "Query"}, "mutationType": None,
        "subscriptionType": None, "types": types, "directives": [directive]}}})


def sdl(p):
    text = f'"{p["description"]}"'
    old = f'@deprecated(reason: "{p["reason"]}")'
    members = f"""
        {text} {p["field"]}({text} {p["argument"]}: {p["input"]} = {p["default"]}): String {old}
        stuff: {p["scalar"]}"""
    return f"""
      type Query {{ thing: {p["type"]} node: {p["interface"]} }}
      {text} type {p["type"]} implements {p["interface"]} {{ {members} }}
      {text} interface {p["interface"]} {{ {members} }}
      union Found = {p["type"]}
      {text} enum Kind {{ {text} {p["value"]} {old} OTHER }}
      {text} input Filter {{ {text} {p["input_field"]}: {p["input"]} = {p["default"]} }}
      {text} scalar {p["scalar"]}
      {text} directive @{p["directive"]}({text} text: String = {p["directive_default"]}) on FIELD
    """


# A comment ends where the compiler ends it; of a string, only the form is kept.
TOKEN = re.compile(
    r"""(?P<space>[ \n\t]+)|//(?P<line>[^\n\r]*)|(?P<block>/\*)"""
    r'''|(?P<text>"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n\r]|\\.)*")'''
    r"""|(?P<word>[\w$@#]+)|(?P<other>.)""", re.S)


def tokens(source):
    """The tokens of Swift; of strings, only the interpolations."""
    found = []
    for match in TOKEN.finditer(source):
        if match["text"]:
            found.append('""' + "\\(" * len(re.findall(r"(?<!\\)(?:\\\\)*\\\(", match["text"])))
        elif match.lastgroup not in ("space", "line"):
            found.append(match[0])
    return found


class Run:
    """A run of the generator for one schema, in a separate folder."""

    def __init__(self, options, folder, place, text, form):
        self.place, self.text, self.form = place, text, form
        folder.mkdir()
        self.output = folder / "out" / "Generated"
        self.output.parent.mkdir()
        p = parts(place, text)
        schema = folder / ("schema.json" if form == "json" else "schema.graphql")
        schema.write_bytes(
            (introspection(p) if form == "json" else sdl(p)).encode("utf-8", "surrogatepass"))
        layout = {"perType": True} if "per_type" in PLACES[place] else {"files": 2}
        (folder / "graphql-generator.json").write_text(
            json.dumps({"namespace": "API", "layout": layout}))
        before = set(folder.parent.iterdir()) | set(folder.rglob("*"))
        self.result = subprocess.run(
            [options.generator, "generate", "--schema", schema, "--output", self.output],
            capture_output=True, timeout=60, cwd=folder)
        written = set(folder.rglob("*")) - before
        self.stray = [path for path in written if self.output not in (path, *path.parents)]
        self.files = {
            path.name: path.read_bytes().decode() for path in self.output.glob("*")
        } if self.output.is_dir() else {}

    @property
    def source(self):
        return "\n".join(self.files[name] for name in sorted(self.files))

    def problem(self, twin):
        """The problem, or None."""
        said = self.result.stderr.decode("utf-8", "replace")
        if self.result.returncode == 1:
            if self.files or self.stray:
                return "refused, and yet something was written"
            if not re.search(r"^\S*schema\.\w+(:\d+:\d+)?: error: ", said, re.M):
                return f"no diagnostic with a place: {said}"
            if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", said):
                return f"a diagnostic with control characters: {said!r}"
            return None
        if self.result.returncode != 0:
            return f"ended with {self.result.returncode}: {said}"
        if self.stray:
            return f"written outside of the folder: {self.stray}"
        if not all(re.fullmatch(r"[A-Za-z0-9_.+-]+\.swift", name) for name in self.files):
            return f"names of files: {list(self.files)}"
        if self.form == "json" and self.text not in NAMES:
            if tokens(self.source) != twin:
                return "its tokens are not the harmless twin's"
        return None


def compile_all(runs, modules, folder):
    """Compiles the output of the runs together, since each has its own namespace."""
    sources = []
    for number, run in enumerate(runs):
        for name, text in run.files.items():
            path = folder / f"R{number}_{name}"
            # Only the namespace must differ.
            text = re.sub(r"\bAPI\b", f"API{number}", text)
            path.write_bytes(text.encode())
            sources.append(str(path))
    arguments = folder / "arguments"
    arguments.write_text("\n".join(sources))
    result = subprocess.run(
        ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-warnings-as-errors",
         "-enable-upcoming-feature", "ExistentialAny",
         "-enable-upcoming-feature", "MemberImportVisibility", "-module-name", "Generated",
         "-I", modules, "-I", Path(modules).parent / "CTreeswiftAtomics.build", f"@{arguments}"], capture_output=True, text=True)
    return result.stderr if result.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--generator", required=True, type=Path)
    parser.add_argument("--modules", required=True)
    options = parser.parse_args()
    options.generator = options.generator.resolve()
    counts, problems = Counter(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        cases = [
            (place, text, form)
            for place in PLACES for text in [HARMLESS, *TEXTS, *NAMES] for form in ("json", "sdl")
        ]
        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(
                lambda case: Run(options, folder / f"run{case[0]}", *case[1]), enumerate(cases)))
        twins = {
            run.place: tokens(run.source)
            for run in runs if run.text == HARMLESS and run.form == "json"
        }
        accepted = []
        for run in runs:
            problem = run.problem(twins[run.place])
            if run.text == HARMLESS and run.result.returncode:
                problem = f"the harmless twin is refused: {run.result.stderr.decode()}"
            if problem:
                problems.append(f"{run.place}, {run.text!r}, {run.form}: {problem}")
            counts["refused" if run.result.returncode else "accepted"] += 1
            if not run.result.returncode:
                accepted.append(run)
        sources = folder / "sources"
        sources.mkdir()
        complaint = compile_all(accepted, options.modules, sources)
        if complaint:
            problems.append("what is generated does not compile:\n" + complaint[-6000:])
    for problem in problems[:40]:
        print(problem)
    print(
        f"{len(TEXTS) + len(NAMES)} texts in {len(PLACES)} places, {len(runs)} schemas: "
        f"{counts['refused']} refused, {counts['accepted']} generated and compiled, "
        f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
