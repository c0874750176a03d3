"""Runs when Python starts, before the program: puts the folders of modules in a safe order.

First what Python brings, then the folders of PYTHONPATH, then what is installed, and last the folder of the session. So no
file that lies there takes the place of a module of Python, or runs without being asked for.
"""

import os
import sys


def _is_installed(path):
    return os.path.basename(path) in ("site-packages", "dist-packages")


def _customize():
    """What this file stands before, and what Python would look for next; the one of the system, if there is any."""
    own = sys.modules.pop("sitecustomize", None)
    for name in ("sitecustomize", "usercustomize"):
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = own


def _start():
    own = os.path.dirname(os.path.abspath(__file__))
    given = os.environ.pop("HERMES_PYTHONPATH", "")
    if given:
        os.environ["PYTHONPATH"] = given
    else:
        os.environ.pop("PYTHONPATH", None)
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != own]
    _customize()
    installed = [path for path in sys.path if _is_installed(path)]
    brought = [path for path in sys.path if not _is_installed(path)]
    folders = [path for path in given.split(os.pathsep) if path]
    try:
        folder = [os.getcwd()]
    except OSError:
        folder = []
    sys.path[:] = brought + folders + installed + folder


_start()
