"""Creates a docset for documentation browsers such as Dash and Zeal from a DocC site."""
import json
import plistlib
import sqlite3

from pages import Page

# Names of the docset format by DocC's kinds of symbols.
KINDS = {
    "class": "Class", "struct": "Struct", "enum": "Enum", "protocol": "Protocol", "module": "Module",
    "method": "Method", "property": "Property", "init": "Constructor", "case": "Value",
    "op": "Operator", "subscript": "Subscript", "typealias": "Type", "associatedtype": "Type",
    "func": "Function", "var": "Variable",
}
INFO = {
    "CFBundleIdentifier": "treeswift", "CFBundleName": "Treeswift",
    "DocSetPlatformFamily": "treeswift", "isDashDocset": True, "dashIndexFilePath": "index.html",
}


def kind(render):
    metadata = render["metadata"]
    if metadata.get("role") == "collectionGroup":
        return "Section"
    if render["kind"] == "article":
        return "Guide"
    return KINDS.get(metadata.get("symbolKind"), "Entry")


def make(site, docset):
    """Writes the docset and returns the number of its pages. A link without a target is an error."""
    resources = docset / "Contents/Resources"
    documents = resources / "Documents"
    documents.mkdir(parents=True)
    (docset / "Contents/Info.plist").write_bytes(plistlib.dumps(INFO))
    pages = [
        Page("/" + str(path.relative_to(site / "data").with_suffix("")), json.loads(path.read_text()))
        for path in sorted((site / "data").rglob("*.json"))
    ]
    with sqlite3.connect(resources / "docSet.dsidx") as index:
        index.execute("CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT)")
        index.execute("CREATE UNIQUE INDEX anchor ON searchIndex (name, type, path)")
        for page in pages:
            file = documents / page.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page.html)
            index.execute(
                "INSERT OR IGNORE INTO searchIndex(name, type, path) VALUES (?, ?, ?)",
                (page.title, kind(page.render), page.file))
    files = {page.file for page in pages}
    for page in pages:
        if not page.targets <= files:
            raise ValueError(f"{page.file} links to {sorted(page.targets - files)}")
    return len(pages)
