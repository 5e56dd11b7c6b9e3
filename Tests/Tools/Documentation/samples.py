"""Finds the Swift in documents, combines it into programs, and compiles these."""
import re
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)
# The same in the comments of a source.
COMMENT_FENCE = re.compile(r"^ */// ```swift\n((?: *///.*\n)*?) */// ```$", re.M)
# Declarations that are not allowed in a function.
DECLARATION = re.compile(
    r"^(?:(?:public |private |@\w+(?:\(.*\))? )*"
    r"(?:extension|struct|enum|final class|class|actor|protocol)\b|@Test func\b)")
OPERATION = re.compile(r"^(?:#.*\n|\s)*(?:query|mutation|subscription|fragment|\{)")
IMPORT = re.compile(r"^(?:public )?import .*$", re.M)
# Replaces the reader's own module, whose namespace is `API`.
OWN_MODULE = "import ShopAPI"
EXAMPLE_MODULE = "import StorefrontAPI"
NOT_RUN = "<!-- not run -->"
WHOLE_FILE = "<!-- whole file -->"


@dataclass
class Block:
    """A fenced block of a document."""

    path: Path
    line: int
    language: str
    text: str
    is_run: bool
    is_whole: bool = False

    @property
    def is_manifest(self):
        return self.text.startswith("// swift-tools-version")

    @property
    def is_document(self):
        """Whether a block of GraphQL has operations and fragments."""
        return self.language == "graphql" and bool(OPERATION.match(self.text))

    @property
    def imports(self):
        return [line for line in IMPORT.findall(self.text) if line != OWN_MODULE]

    @property
    def code(self):
        """The text without imports; the other lines keep their numbers."""
        return IMPORT.sub("", self.text)

    @property
    def is_declaration(self):
        lines = (line for line in self.code.splitlines() if line and not line.startswith("//"))
        return bool(DECLARATION.match(next(lines, "")))

    @property
    def is_library(self):
        """Whether a whole file is not a program's `main.swift`."""
        return "@main" in self.text or "@Test" in self.text

    @property
    def located(self):
        """The code with the document's line numbers for the compiler's messages."""
        return f'#sourceLocation(file: "{self.path}", line: {self.line})\n{self.code}'


def blocks(path, root):
    text = path.read_text()
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip()
        yield Block(
            path=path.relative_to(root), line=text.count("\n", 0, match.start()) + 2,
            language=match[2], text=textwrap.dedent(match[3]), is_run=not before.endswith(NOT_RUN),
            is_whole=before.endswith(WHOLE_FILE))


def comment_blocks(path, root):
    """The samples in the comments of a source, which are compiled only."""
    text = path.read_text()
    for match in COMMENT_FENCE.finditer(text):
        yield Block(
            path=path.relative_to(root), line=text.count("\n", 0, match.start()) + 2,
            language="swift", text=re.sub(r"^ */// ?", "", match[1], flags=re.M), is_run=False)


def program(blocks, name):
    """One file with a function that runs a document's blocks in their order, each in the scope of
    those before it, and with their declarations next to it."""
    imports = sorted({line for block in blocks for line in block.imports})
    declared = [block.located for block in blocks if block.is_declaration]
    body, depth = [], 0
    for block in blocks:
        if block.is_declaration:
            continue
        if block.is_run:
            body.append(f"do {{\n{block.located}")
            depth += 1
        else:
            body.append(f"func notRun{block.line}() async throws {{\n{block.located}}}")
    function = "\n".join(
        ["@MainActor", f"func {name}() async throws {{"] + body + ["}" * depth, "}"])
    return "\n".join(imports + declared + [function]) + "\n"


def compile_program(files, executable, flags):
    """Returns the compiler's messages; empty if it creates a program."""
    result = subprocess.run(
        ["swiftc", "-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility",
         "-enable-upcoming-feature", "ExistentialAny", "-suppress-warnings", "-module-name",
         "Samples", "-o", str(executable), *map(str, files), *flags],
        capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stderr


def check_whole(block, folder, flags):
    """Compiles a block as the only file of a program or module, with its own imports. Returns the
    compiler's messages; empty if it compiles."""
    file = folder / f"whole-{block.path.stem}-{block.line}" / "main.swift"
    file.parent.mkdir()
    text = block.text.replace(OWN_MODULE, EXAMPLE_MODULE)
    file.write_text(f'#sourceLocation(file: "{block.path}", line: {block.line})\n{text}')
    options = ["-parse-as-library"] if block.is_library else []
    # A program needs each of its imports, although one module makes the members of others visible.
    # A scalar uses the members of GraphJSON without importing it, as a reader's module may.
    if not block.is_declaration:
        options += ["-enable-upcoming-feature", "MemberImportVisibility"]
    result = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name",
         "Whole", *options, str(file), *flags],
        capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stderr
