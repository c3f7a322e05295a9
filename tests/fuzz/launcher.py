"""Starts programs with limits, and says what they took.

A child's peak memory includes that of the process which forked it, so that has to be small: the
fork server is forked before the fuzzer loads anything.
"""
import os
import pickle
import resource
import select
import signal
import struct


class Ended:
    """How a program ended: its exit status (negative: the signal), user seconds, peak in bytes."""

    def __init__(self, status, seconds, peak_bytes, is_hanging):
        self.status = status
        self.seconds = seconds
        self.peak_bytes = peak_bytes
        self.is_hanging = is_hanging


def _receive(descriptor):
    header = os.read(descriptor, 8)
    if not header:
        return None
    left, parts = struct.unpack("Q", header)[0], []
    while left:
        parts.append(os.read(descriptor, min(left, 65536)))
        left -= len(parts[-1])
    return pickle.loads(b"".join(parts))


def _send(descriptor, what):
    data = pickle.dumps(what)
    data = struct.pack("Q", len(data)) + data
    while data:
        data = data[os.write(descriptor, data) :]


def _become(request):
    """In the child: everything up to the program itself."""
    for number, name, flags in (
        (0, request["stdin"], os.O_RDONLY),
        (1, request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        opened = os.open(name, flags, 0o600)
        os.dup2(opened, number)
        if opened > 2:
            os.close(opened)
    os.chdir(request["directory"])
    for name, value in request["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.execve(request["command"][0], request["command"], request["environment"])


def _serve(requests, replies):
    while (request := _receive(requests)) is not None:
        child = os.fork()
        if child == 0:
            try:
                _become(request)
            finally:
                os._exit(126)
        watch = os.pidfd_open(child)
        is_hanging = not select.select([watch], [], [], request["wall_seconds"])[0]
        if is_hanging:
            os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        os.close(watch)
        _send(
            replies,
            (os.waitstatus_to_exitcode(status), usage.ru_utime, usage.ru_maxrss * 1024, is_hanging),
        )


class Launcher:
    def __init__(self):
        requests, replies = os.pipe(), os.pipe()
        if os.fork() == 0:
            os.close(requests[1])
            os.close(replies[0])
            try:
                _serve(requests[0], replies[1])
            finally:
                os._exit(0)
        os.close(requests[0])
        os.close(replies[1])
        self.requests, self.replies = requests[1], replies[0]

    def run(self, command, directory, stdin, stdout, stderr, limits, wall_seconds, environment):
        """Runs a command to its end; `limits` are resource.RLIMIT_* by name."""
        _send(
            self.requests,
            {
                "command": command,
                "directory": directory,
                "stdin": stdin,
                "stdout": stdout,
                "stderr": stderr,
                "limits": limits,
                "wall_seconds": wall_seconds,
                "environment": environment,
            },
        )
        return Ended(*_receive(self.replies))
