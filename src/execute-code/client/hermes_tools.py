"""The tools of this session, as functions. Each returns the tool's answer as text and raises ToolError when it fails.

Calls may be made from any thread of the program, at any time. They are made by the gateway, with its rules and limits.
"""

import os as _os
import sys as _sys
import threading as _threading
import time as _time

_FOLDER = _os.path.dirname(_os.path.abspath(__file__))
_PATIENCE_SECONDS = 60
_LONGEST_INPUT = 4 * 1024 * 1024


class ToolError(Exception):
    """A tool could not do what was asked, was not permitted to, or the limit of calls is used up."""


_GONE = "The connection to the tools is gone: something in this sandbox has ended it. The program can go on without tools."


class _Line:
    """The line to the gateway. Whoever waits for an answer reads; one thread at a time, for all of them."""

    def __init__(self):
        self._changed = _threading.Condition()
        self._process = None
        self._out = self._in = -1
        self._last_id = 0
        self._is_sending = False
        self._is_reading = False
        self._is_lost = False
        self._received = b""
        self._answers = {}

    def call(self, tool, body):
        with self._changed:
            self._open()
            self._last_id += 1
            call = self._last_id
            while self._is_sending:
                self._changed.wait()
            if self._is_lost:
                raise ToolError(_GONE)
            self._is_sending = True
        try:
            self._send(b"%d %s %d\n" % (call, tool.encode(), len(body)) + body)
        finally:
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
        return self._answer_to(call)

    def _open(self):
        if self._process is not None:
            if self._process != _os.getpid():
                raise ToolError("Tools can be called from the program's own process only; its threads may call them too.")
            return
        try:
            _os.close(_os.open(_FOLDER + "/taken", _os.O_CREAT | _os.O_EXCL | _os.O_WRONLY, 0o600))
            self._out = self._open_pipe("/to-gateway")
            self._in = _os.open(_FOLDER + "/from-gateway", _os.O_RDONLY)
        except FileExistsError:
            raise ToolError("Tools can be called from the program's own process only; its threads may call them too.") from None
        except OSError:
            raise ToolError(_GONE) from None
        self._process = _os.getpid()

    def _open_pipe(self, name):
        end = _time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                pipe = _os.open(_FOLDER + name, _os.O_WRONLY | _os.O_NONBLOCK)
            except OSError as error:
                # The other end is on its way.
                if error.errno != 6 or _time.monotonic() > end:
                    raise
                _time.sleep(0.002)
            else:
                _os.set_blocking(pipe, True)
                return pipe

    def _send(self, data):
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[_os.write(self._out, rest):]
        except OSError:
            raise ToolError(_GONE) from None
        finally:
            # Half a call would make nonsense of the next one.
            self._is_lost = self._is_lost or 0 < len(rest) < len(data)

    def _answer_to(self, call):
        with self._changed:
            while call not in self._answers:
                if self._is_lost:
                    raise ToolError(_GONE)
                if self._is_reading:
                    self._changed.wait()
                else:
                    self._read()
            is_error, text = self._answers.pop(call)
        if is_error:
            raise ToolError(text)
        return text

    def _read(self):
        self._is_reading = True
        self._changed.release()
        data = b""
        try:
            data = _os.read(self._in, 65536)
        finally:
            self._changed.acquire()
            self._is_reading = False
            self._changed.notify_all()
        if not data:
            self._is_lost = True
        self._received += data
        while True:
            header, newline, rest = self._received.partition(b"\n")
            if not newline:
                return
            call, kind, size = header.split(b" ")
            if len(rest) < int(size):
                return
            self._answers[int(call)] = (kind == b"error", rest[: int(size)].decode("utf-8", "replace"))
            self._received = rest[int(size):]


_line = _Line()

_ESCAPES = {code: "\\u%04x" % code for code in range(32)}
_ESCAPES.update({34: '\\"', 92: "\\\\"})


def _json(value):
    """JSON without the module of that name, which small installations of Python lack."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return '"' + value.translate(_ESCAPES) + '"'
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ToolError("%r cannot be passed to a tool." % value)
        return repr(float(value))
    if isinstance(value, dict):
        return "{" + ",".join(_json(str(key)) + ":" + _json(each) for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "[" + ",".join(_json(each) for each in value) + "]"
    if isinstance(value, _os.PathLike):
        return _json(_os.fspath(value))
    raise ToolError("A %s cannot be passed to a tool; text, numbers, lists and dicts can." % type(value).__name__)


def _call(tool, given, optional):
    values = dict(given)
    values.update((name, value) for name, value in optional.items() if value is not None)
    body = _json(values).encode("utf-8", "replace")
    if len(body) > _LONGEST_INPUT:
        raise ToolError("The input of %s has %d bytes; at most %d can be passed." % (tool, len(body), _LONGEST_INPUT))
    return _line.call(tool, body)


def _show(kind, error, trace):
    """The traceback of the program, without the frames of this module."""
    import traceback

    told = traceback.TracebackException(kind, error, trace)
    waiting = [told]
    while waiting:
        one = waiting.pop()
        one.stack[:] = [frame for frame in one.stack if frame.filename != __file__]
        waiting += [each for each in (one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ())) if each]
    _sys.stderr.write("".join(told.format()))


def _show_thread(given):
    if given.exc_type is not SystemExit:
        _sys.stderr.write("In the thread %s:\n" % (given.thread.name if given.thread else "?"))
        _show(given.exc_type, given.exc_value, given.exc_traceback)


_sys.excepthook = _show
_threading.excepthook = _show_thread
