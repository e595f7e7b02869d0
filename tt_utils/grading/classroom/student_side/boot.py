# The first lines that run in the sandbox. They set what a process can set for itself
# (limits, its user), unpack the package that comes over the pipe, and begin.
import io
import os
import resource
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


def part():
    size = int.from_bytes(sys.stdin.buffer.read(8), "little")
    return sys.stdin.buffer.read(size)


package = os.path.join(home, "tt")
zipfile.ZipFile(io.BytesIO(part())).extractall(package)
sys.path.insert(0, package)
sys.argv[1:] = []
from tt_utils.grading.classroom.student_side.session import main  # noqa: E402

main(part())
