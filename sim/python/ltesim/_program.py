"""The program ltesim as a process, which an interrupt ends so that it saves what it has counted."""

import signal
import subprocess
import sys
import tempfile
import threading

from ltesim._library import FILES

PROGRAM = FILES / "bin" / "ltesim"


class Interrupts:
    """While this is entered an interrupt raises nothing: it ends the program, and is kept.

    The program saves and ends at SIGTERM as at SIGINT; a second signal of a kind kills it. From a
    terminal it has SIGINT already, so that it is sent SIGTERM here; a second interrupt kills it.
    """

    def __init__(self):
        self.count, self.process, self.told, self.before = 0, None, False, None

    def _took(self, number, frame):
        self.count += 1
        self.tell()
        if self.count > 1 and self.process:
            self.process.kill()

    def tell(self):
        """Ends the program, once."""
        if self.count and self.process and not self.told:
            self.told = True
            self.process.terminate()

    def __enter__(self):
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(before):
            self.before = before
            signal.signal(signal.SIGINT, self._took)
        return self

    def __exit__(self, *_):
        if self.before:
            signal.signal(signal.SIGINT, self.before)

    def deliver(self):
        """What the interrupt would have done: KeyboardInterrupt, or what its handler raises."""
        if self.count:
            self.count = 0
            self.before(signal.SIGINT, sys._getframe())
            raise KeyboardInterrupt


def _lines(process, progress):
    """All that the program says on stderr, handed on as it comes if progress is True."""
    said = []
    for line in process.stderr:
        said.append(line)
        try:
            if progress:
                sys.stderr.write(line)
                sys.stderr.flush()
        except (OSError, ValueError):  # who reads has gone, which must not end the run
            progress = False
    return said


def call(command, interrupts, progress):
    """Exit code, stdout and stderr of a command."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
        interrupts.process = process
        interrupts.tell()
        try:
            said = _lines(process, progress)
            code = process.wait()
        except BaseException:  # of another signal's handler, of sys.stderr
            if not interrupts.told:
                process.terminate()
            process.communicate()
            raise
        finally:
            interrupts.process = None
            process.stderr.close()
        printed.seek(0)
        return code, printed.read(), said
