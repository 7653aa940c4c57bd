# SPDX-License-Identifier: MIT
"""How Sphinx makes the site; `make docs` runs it by docs/site/build.py."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxRole

import skelkin_py
from skelkin_py import blender, view  # noqa: F401 - so that their names are there

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "release"))
from project import addresses

project = "skelkin"
author = "The skelkin authors"
copyright = "The skelkin authors, MIT"
version = release = skelkin_py.__version__
root_doc = "docs/index"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.autosectionlabel",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
]
exclude_patterns = ["jupyter_execute", "**/.ipynb_checkpoints"]
nitpicky = True
default_role = "name"
suppress_warnings = ["autosectionlabel.*"]
nitpick_ignore_regex = [("c:identifier", r"u?int\d+_t|size_t|NULL")]

# Pages are Markdown that GitHub renders too: links to headings are those that it makes.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autosectionlabel_prefix_document = True

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
add_module_names = False
python_display_short_literal_types = True
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "skelkin"
html_baseurl = addresses().get("Documentation", "")
html_static_path = ["theme"]
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_css_files = ["skelkin.css"]
html_favicon = "theme/mark.svg"
html_logo = None
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "skelkin", "image_light": "_static/mark.svg", "image_dark": "_static/mark.svg"},
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "external_links": [
        {"name": name, "url": addresses()[name]} for name in ("Source", "Issues") if name in addresses()
    ],
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": {"**": ["page-toc"], "docs/index": []},
    "show_prev_next": True,
    "show_toc_level": 1,
    "show_nav_level": 1,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"docs/index": []}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def leave_out(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out fields of named tuples, which their class describes, and what tuples have besides."""
    if type(value).__name__ == "_tuplegetter" or (name in ("count", "index") and value in (tuple.count, tuple.index)):
        return True
    return None


def public_target(text: str) -> str | None:
    """Return the full name of what the reference tells of under this name, or None."""
    for module in (skelkin_py, skelkin_py.blender, skelkin_py.view):
        first, _, method = text.removeprefix("sk.").removeprefix("blender.").partition(".")
        value = getattr(module, first, None) if first in module.__all__ else None
        if value is None or (method and not inspect.isroutine(getattr(value, method, None))):
            continue
        home = value.__name__ if method and inspect.ismodule(value) else f"{module.__name__}.{first}"
        return home + (f".{method}" if method else "")
    return None


class LinkNames(SphinxPostTransform):
    """Let code in a sentence that is a name of the reference lead there; headings and links stay as they are."""

    default_priority = 9  # before references are resolved

    def run(self, **_: Any) -> None:
        """Go through the page."""
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            above = literal.parent
            if isinstance(above, (nodes.title, nodes.reference, addnodes.pending_xref)):
                continue
            domain, kind = ("c", "identifier") if re.fullmatch(r"skl_\w+", text) else ("py", "obj")
            target = text if domain == "c" else public_target(text)
            if target is None or self.env.docname.startswith("docs/reference/python/"):
                continue
            link = addnodes.pending_xref(
                "",
                literal.deepcopy(),
                refdomain=domain,
                reftype=kind,
                reftarget=target,
                refexplicit=True,
                refwarn=False,
            )
            literal.replace_self(link)


class NameRole(SphinxRole):
    """What stands in single backticks: a public name is a link, whatever else is code."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, or the code."""
        target = public_target(self.text)
        link = self.env.domains.python_domain.role("obj")
        if target is None or link is None:
            return [nodes.literal(self.rawtext, self.text)], []
        return link("py:obj", self.rawtext, f"{self.text} <{target}>", self.lineno, self.inliner)


def setup(app: Any) -> dict[str, bool]:
    """Connect what the pages need."""
    app.add_post_transform(LinkNames)
    app.add_role("name", NameRole())
    app.connect("autodoc-skip-member", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
