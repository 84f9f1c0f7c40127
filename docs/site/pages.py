# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
"""Hooks of MkDocs: the pages are written for GitHub, and read by Python-Markdown.

- README.md, SECURITY.md, CHANGELOG.md, CONTRIBUTING.md, the results and conf/ become part of the site.
- Links between pages are links between files of the repository; they are turned to where the page is in the site.
- Pages of a directory need not be listed one by one in the navigation: "adr/*".
- Words after the language of a code block, which are for tests, are taken out.
- Lists and tables need what Python-Markdown asks for: an empty line before them, four columns a level.

A link to a file that is neither is a warning, which ends a strict build.
"""

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

log = logging.getLogger("mkdocs.hooks.pages")

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "benchmarks/results"
# File of the repository: page of the site.
PAGES = {
    "README.md": "index.md",
    "SECURITY.md": "SECURITY.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    RESULTS + "/README.md": "measured/results.md",
}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^\s*(```|~~~)")
INFO = re.compile(r"^(\s*(?:```|~~~)\w+) .*$")
ITEM = re.compile(r"^( *)([-*+]|\d+\.)( +)")


def on_config(config):
    config.nav = expanded(config.nav)
    return config


def expanded(nav):
    """The navigation, with all other pages of a directory where it says "directory/*"."""
    if isinstance(nav, dict):
        return {title: expanded(entry) for title, entry in nav.items()}
    if not isinstance(nav, list):
        return nav
    entries = []
    for entry in nav:
        if isinstance(entry, str) and entry.endswith("/*"):
            pages = sorted((ROOT / "docs" / entry[:-2]).glob("*.md"))
            entries += [entry[:-1] + page.name for page in pages if page.name != "README.md"]
        else:
            entries.append(expanded(entry))
    return entries


def on_files(files, config):
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for sample in sorted((ROOT / "conf").iterdir()):
        if sample.is_file():
            files.append(File.generated(config, "conf/" + sample.name, abs_src_path=str(sample)))
    for picture in sorted((ROOT / RESULTS).rglob("*.svg")) + sorted((ROOT / RESULTS).rglob("*.png")):
        name = "measured/" + picture.relative_to(ROOT / RESULTS).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    source = next((name for name, uri in PAGES.items() if uri == here), "docs/" + here)
    lines = []
    is_code = False
    for line in markdown.split("\n"):
        if FENCE.match(line):
            is_code = not is_code
            line = INFO.sub(r"\1", line)
        if not is_code:
            line = LINK.sub(lambda link: link[1] + in_site(link[2], source, here, files) + link[3], line)
        lines.append(line)
    return "\n".join(for_python_markdown(lines))


def in_site(target, source, here, files):
    """Where a link of a file of the repository leads in the site."""
    if target.startswith("#") or re.match(r"[a-z]+:", target):
        return target
    path, mark, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if (ROOT / path).is_dir():
        if posixpath.dirname(path) == RESULTS:
            path, mark, anchor = RESULTS + "/README.md", "#", posixpath.basename(path)
        else:
            path += "/README.md"
    if path in PAGES:
        uri = PAGES[path]
    elif path.startswith("docs/"):
        uri = path[len("docs/"):]
    elif path.startswith(RESULTS + "/"):
        uri = "measured/" + path[len(RESULTS) + 1:]
    else:
        uri = path
    if files.get_file_from_path(uri) is None:
        log.warning("Cannot link %s: target=%s, expected a file of the site", source, target)
    return posixpath.relpath(uri, posixpath.dirname(here) or ".") + mark + anchor


def for_python_markdown(lines):
    """Adds empty lines before lists and tables, and gives each level of a list four columns."""
    made = []
    contents = []  # of each open list item: the column of its text
    before = ""  # the line before, as it was
    code_shift = None  # inside a fenced block: how far its lines move
    for line in lines:
        if code_shift is not None:
            made.append(moved(line, code_shift))
            if FENCE.match(line):
                code_shift = None
        elif not line.strip():
            made.append(line)
        else:
            column = len(line) - len(line.lstrip())
            item = ITEM.match(line)
            is_in_list = bool(contents)
            if item or FENCE.match(line) or not before.strip():
                while contents and column < contents[-1]:
                    contents.pop()
            shift = 4 * len(contents) - (contents[-1] if contents else 0)
            if item:
                shift = 4 * len(contents) - column
            is_table = line.lstrip().startswith("|") and not before.lstrip().startswith("|")
            if before.strip() and (is_table or (item and not is_in_list)):
                made.append("")
            if item:
                contents.append(item.end())
                text = line[item.end():]
                line = " " * column + (item[2] + " ").ljust(4) + text
            made.append(moved(line, shift))
            if FENCE.match(line):
                code_shift = shift
        before = line
    return made


def moved(line, columns):
    return " " * columns + line if columns >= 0 else line[min(-columns, len(line) - len(line.lstrip())):]
