"""Runs a command in a terminal of its own, and does what standard input says, one line of JSON each:

{"keys": text}, {"size": [columns, rows]}, {"signal": number}, {"until": text} (waits for it in the output),
{"read": seconds}.
Standard output gets a line for each step that is done, and at the end a line of JSON: the output, the exit code, and
whether the modes of the terminal are as before.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

TIMEOUT_S = 30


def set_size(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def read(master, seconds):
    readable, _, _ = select.select([master], [], [], seconds)
    if not readable:
        return b""
    try:
        return os.read(master, 65536)
    except OSError:
        return None


def read_until(master, output, wanted):
    start = len(output)
    deadline = time.monotonic() + TIMEOUT_S
    while wanted not in output[start:]:
        part = read(master, 0.2)
        if part is None or time.monotonic() > deadline:
            raise SystemExit("%r did not come: %r" % (wanted, bytes(output[start:])[-2000:]))
        output += part


def end_of(pid, master, output):
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        part = read(master, 0.1)
        if part:
            output += part
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            while part := read(master, 0.1):
                output += part
            return status
    os.kill(pid, signal.SIGKILL)
    raise SystemExit("it did not end")


def modes(fd):
    return [str(mode) for mode in termios.tcgetattr(fd)]


master, slave = pty.openpty()
set_size(slave, int(os.environ.get("COLUMNS", 80)), int(os.environ.get("LINES", 24)))
before = modes(slave)
pid = os.fork()
if pid == 0:
    os.close(master)
    os.login_tty(slave)
    os.execvp(sys.argv[1], sys.argv[1:])
output = bytearray()
for line in sys.stdin:
    step = json.loads(line)
    if "keys" in step:
        os.write(master, step["keys"].encode())
    elif "size" in step:
        set_size(slave, *step["size"])
        os.kill(pid, signal.SIGWINCH)
    elif "signal" in step:
        os.kill(pid, step["signal"])
    elif "read" in step:
        deadline = time.monotonic() + step["read"]
        while time.monotonic() < deadline:
            output += read(master, 0.1) or b""
    else:
        read_until(master, output, step["until"].encode())
    print("done", flush=True)
status = end_of(pid, master, output)
text = output.decode("utf-8", "replace")
print(json.dumps({
    "output": text,
    "code": os.waitstatus_to_exitcode(status),
    "isRestored": modes(slave) == before,
}))
