#!/usr/bin/env python3
"""Every call of MPI that a short run of several ranks makes fails once, on one of them.

    tests/faults/faults_ranks.py path/to/ltesim path/to/ltesim_failing_mpi STRIDE path/to/mpiexec

STRIDE as in tests/faults/faults.py, which says what a run may leave; tests/faults/failing_mpi.c says how calls fail.
Each run ends in seconds, with one line that names the failure and another exit code than 0; by
--resume, of one process, it comes to the rows of a run that was left alone.
"""
import os
import shutil
import sys

import faults

PLACES = ((2, 1), (3, 0), (2, 0), (3, 2))  # ranks, and the one that fails
FOLLOW = ("does not answer",)  # what others say of it

faults.TIMEOUT_S = 60
mpiexec = sys.argv[4]


class Ranks(faults.Job):
    """A sweep of several ranks, one of which fails in some call."""

    def __init__(self, n, rank):
        super().__init__(f"{n}-{rank}", "--only", "ber")
        self.n, self.rank = n, rank

    def of_ranks(self, folder, **environment):
        """Of all ranks: exit code, lines of ltesim on stderr."""
        # OpenMPI: as root, too, and on fewer cores
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                        "OMPI_MCA_rmaps_base_oversubscribe": "1",
                        "OMPI_MCA_hwloc_base_binding_policy": "none",
                        "LTE_FAULT_RANK": str(self.rank)}
        command = [mpiexec, "-n", str(self.n), faults.failing, "run.cfg", "--no-plot", "--quiet",
                   "--threads", "1", "--out", folder, *self.arguments]
        code, lines = faults.run_command(command, **environment)
        return code, [line for line in lines if line.startswith("ltesim: ")]

    def fault(self, what):
        folder = faults.top / f"{self.name}-{what}"
        folder.mkdir()
        code, lines = self.of_ranks(folder.name, LTE_FAULT=what)
        said = [line for line in lines if not line.endswith(FOLLOW)]
        wrong = self.half(folder, may_stay=True)
        if not wrong and (code == 0 or len(said) != 1 or "MPI: " not in said[0]):
            wrong = self.passed_by(folder, code, lines)
        wrong = wrong or self.after(folder)
        shutil.rmtree(folder)
        return wrong and f"{self.name} {what}: {wrong} (exit {code}: {lines[:3]})"

    def passed_by(self, folder, code, lines):
        """What is wrong with a run that is said to be right: fewer polls than in the one counted."""
        if code == 0 and not lines and faults.contents(folder) == self.whole:
            return None
        return "exit 0, and other results" if code == 0 else "not one clear line"

    def faults(self):
        log = faults.top / "count"
        code, lines = self.of_ranks(f"{self.name}-count", LTE_FAULT_LOG=str(log))
        assert code == 0 and not lines, (code, lines)
        for name, n in (line.split() for line in log.read_text().splitlines()):
            for i in range(1, int(n) + 1):
                if i % faults.stride == 0 or i == 1 or i == int(n):
                    yield f"{name}:{i}"


def main():
    (faults.top / "run.cfg").write_text(faults.SCENARIO)
    places = PLACES if faults.stride == 1 else PLACES[:2]
    return faults.of_all([Ranks(*place) for place in places])


try:
    sys.exit(main())
finally:
    shutil.rmtree(faults.top)
