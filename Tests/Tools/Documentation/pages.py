"""Creates HTML pages without scripts from DocC's render files, for a documentation browser."""
import os
from html import escape
from urllib.parse import quote

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em;
  color: #1d1d1f; background: #fff }
a { color: #0066cc; text-decoration: none }
code { font: 0.9em ui-monospace, monospace }
pre { background: #f5f5f7; border: 1px solid #d2d2d7; border-radius: 6px; padding: .8em;
  overflow-x: auto }
table { border-collapse: collapse } td, th { border: 1px solid #d2d2d7; padding: .3em .6em;
  text-align: left; vertical-align: top }
.kind { color: #6e6e73 } dd { margin-left: 1.5em } h1 { margin-top: 0 }
@media (prefers-color-scheme: dark) {
  body { color: #f5f5f7; background: #1d1d1f } a { color: #2997ff }
  pre { background: #2a2a2c; border-color: #424245 } td, th { border-color: #424245 }
}
"""


def file_of(url):
    """The path of the page of `/documentation/…`, relative to the documents."""
    return (url.removeprefix("/documentation").strip("/") or "index") + ".html"


class Page:
    """The page of one render file, whose address is `/documentation/…`."""

    def __init__(self, url, render):
        self.render = render
        self.references = render.get("references", {})
        self.title = render["metadata"].get("title", "")
        self.file = file_of(url)
        # The linked files.
        self.targets = set()

    def link(self, identifier, label=None):
        reference = self.references.get(identifier, {})
        text = escape(label or reference.get("title", identifier))
        if reference.get("kind") == "symbol" and label is None:
            text = f"<code>{text}</code>"
        url = reference.get("url")
        if not url:
            return text
        if url.startswith("/documentation/"):
            self.targets.add(file_of(url))
            url = quote(os.path.relpath(file_of(url), os.path.dirname(self.file) or "."))
        return f'<a href="{escape(url)}">{text}</a>'

    def inline(self, nodes):
        return "".join(self.inline_node(node) for node in nodes or [])

    def inline_node(self, node):
        kind = node["type"]
        tags = {"emphasis": "em", "strong": "strong", "newTerm": "em", "inlineHead": "strong"}
        if kind == "text":
            return escape(node["text"])
        if kind == "codeVoice":
            return f"<code>{escape(node['code'])}</code>"
        if kind == "reference":
            return self.link(node["identifier"], node.get("overridingTitle"))
        if kind == "link":
            return f'<a href="{escape(node["destination"])}">{escape(node["title"])}</a>'
        if kind in tags:
            return f"<{tags[kind]}>{self.inline(node['inlineContent'])}</{tags[kind]}>"
        return self.inline(node.get("inlineContent"))

    def blocks(self, nodes):
        return "\n".join(self.block(node) for node in nodes or [])

    def block(self, node):
        kind = node["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(node['inlineContent'])}</p>"
        if kind == "heading":
            level = node["level"]
            return f"<h{level}>{escape(node['text'])}</h{level}>"
        if kind == "codeListing":
            return "<pre><code>" + escape("\n".join(node["code"])) + "</code></pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'])}</li>" for item in node["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "table":
            return self.table(node)
        return self.blocks(node.get("content"))

    def table(self, node):
        has_header = node.get("header") in ("row", "both")
        rows = []
        for number, row in enumerate(node["rows"]):
            tag = "th" if has_header and number == 0 else "td"
            cells = "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in row)
            rows.append(f"<tr>{cells}</tr>")
        return f"<table>{''.join(rows)}</table>"

    def section(self, section):
        kind = section["kind"]
        if kind == "declarations":
            return "\n".join(
                "<pre><code>" + escape("".join(token["text"] for token in declaration["tokens"]))
                + "</code></pre>" for declaration in section["declarations"])
        if kind == "parameters":
            entries = "".join(
                f"<dt><code>{escape(entry['name'])}</code></dt><dd>{self.blocks(entry['content'])}</dd>"
                for entry in section["parameters"])
            return f"<h2>Parameters</h2><dl>{entries}</dl>"
        return self.blocks(section.get("content"))

    def topics(self, key, fallback):
        parts = []
        for section in self.render.get(key, []):
            entries = "".join(
                f"<dt>{self.link(identifier)}</dt>"
                f"<dd>{self.inline(self.references.get(identifier, {}).get('abstract'))}</dd>"
                for identifier in section["identifiers"])
            parts.append(f"<h3>{escape(section.get('title') or fallback)}</h3><dl>{entries}</dl>")
        return "".join(parts)

    @property
    def html(self):
        parents = (self.render.get("hierarchy", {}).get("paths") or [[]])[0]
        sections = self.render.get("primaryContentSections", [])
        return "\n".join([
            "<!doctype html>", '<html lang="en"><head><meta charset="utf-8">',
            f"<title>{escape(self.title)}</title><style>{STYLE}</style></head><body>",
            "<p>" + " / ".join(self.link(parent) for parent in parents) + "</p>",
            f'<p class="kind">{escape(self.render["metadata"].get("roleHeading", ""))}</p>',
            f"<h1>{escape(self.title)}</h1>", f"<p>{self.inline(self.render.get('abstract'))}</p>",
            *map(self.section, sections), self.topics("topicSections", "Topics"),
            self.topics("relationshipsSections", "Relationships"),
            self.topics("seeAlsoSections", "See also"), "</body></html>",
        ])
