#!/usr/bin/python3
"""A browser for WebKit's driver that stores what pages store in a folder, its only argument. MiniBrowser forgets it with the last page."""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

folder = sys.argv[1]
Gtk.init([])
context = WebKit2.WebContext(
    website_data_manager=WebKit2.WebsiteDataManager(
        base_data_directory=f"{folder}/data", base_cache_directory=f"{folder}/cache"
    )
)
context.set_automation_allowed(True)


def note_end(_, reason):
    # The driver only says that the page crashed or hung, and shows nothing that a browser prints.
    with open(f"{folder}/ended", "w") as file:
        file.write(reason.value_nick)


def create_view(*_):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    # A page in the back/forward cache keeps its transactions, and all later pages wait for them (088).
    view.get_settings().set_enable_page_cache(False)
    view.connect("web-process-terminated", note_end)
    window = Gtk.Window(default_width=1400, default_height=900)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _: window.destroy())
    return view


context.connect("automation-started", lambda _, session: session.connect("create-web-view", create_view))
Gtk.main()
