# The first lines that run in the sandbox. They set what a process can set for itself
# (limits, its user), unpack the package that comes over the pipe, and begin.
import ctypes
import io
import os
import platform
import resource
import struct
import sys
import zipfile

version, home = sys.argv[1:3]
processes, disk, seconds, user = map(int, sys.argv[3:7])
if version != "{}.{}".format(*sys.version_info):
    sys.exit("its Python is " + sys.version.split()[0] + ", the grader's " + version)
if user:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
for name, most in {
    "CPU": seconds,
    "FSIZE": disk,
    "NOFILE": 256,
    "NPROC": processes,
    "CORE": 0,
}.items():
    limit = getattr(resource, "RLIMIT_" + name)
    hard = resource.getrlimit(limit)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (most, most))
try:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
except OSError:
    pass

# Keys that outlive a submission, and memory that is no process's: by their numbers.
FORBIDDEN = {
    "x86_64": (0xC000003E, (29, 30, 31, 64, 68, 248, 249, 250, 319, 447)),
    "aarch64": (0xC00000B7, (186, 190, 194, 195, 196, 217, 218, 219, 279, 447)),
}


def forbid(machine, numbers):
    """From here on these system calls fail, in all processes that come of this one."""
    allow, refuse = (6, 0, 0, 0x7FFF0000), (6, 0, 0, 0x00050001)  # EPERM
    rules = [(0x20, 0, 0, 4), (0x15, 1, 0, machine), refuse, (0x20, 0, 0, 0)]
    rules += [(0x35, 0, 1, 0x40000000), refuse]  # the same ones by another name
    for number in numbers:
        rules += [(0x15, 0, 1, number), refuse]
    code = b"".join(struct.pack("=HBBI", *rule) for rule in [*rules, allow])
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HL", len(code) // 8, ctypes.addressof(kept))
    library = ctypes.CDLL(None, use_errno=True)
    no_new_rights, filters = 38, (22, 2)
    for call in ((no_new_rights, 1, 0, 0, 0), (*filters, program, 0, 0)):
        if library.prctl(*call) != 0:
            sys.exit("it can't forbid system calls: " + os.strerror(ctypes.get_errno()))


if platform.machine() in FORBIDDEN:
    forbid(*FORBIDDEN[platform.machine()])


def exactly(size):
    """No byte more than these: what comes later is for others to read."""
    content = bytearray()
    while len(content) < size:
        more = os.read(0, min(size - len(content), 2**20))
        if not more:
            sys.exit("the grader has ended")
        content += more
    return bytes(content)


def part():
    return exactly(int.from_bytes(exactly(8), "little"))


package = os.path.join(home, "tt")
zipfile.ZipFile(io.BytesIO(part())).extractall(package)
sys.path.insert(0, package)
sys.argv[1:] = []
from tt_utils.grading.classroom.student_side.session import main  # noqa: E402

main(part())
