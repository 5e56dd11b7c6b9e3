"""Corrections of the site that DocC makes."""
import json


def remove_missing_parents(site):
    """Removes pages that do not exist from the paths above the pages' titles.

    If an article lists all symbols that a module declares in another module's type, DocC leaves out the
    pages of that module and of that type, and still names them as the symbols' parents.
    """
    for path in (site / "data").rglob("*.json"):
        render = json.loads(path.read_text())
        hierarchy = render.get("hierarchy", {})
        paths = hierarchy.get("paths", [])
        kept = [[parent for parent in parents if exists(parent, render, site)] for parents in paths]
        if kept != paths:
            hierarchy["paths"] = kept
            path.write_text(json.dumps(render))


def exists(identifier, render, site):
    url = render["references"].get(identifier, {}).get("url", "")
    return (site / "data" / (url.strip("/") + ".json")).exists()
