"""Chunks of work that several threads take: who has which, by atomic operations inside compiled code (``threads`` has the threads).

``control`` is an int64 array with a line of the processor's cache per worker. As in ``bits``: the plain definitions run when compilation
is switched off, and then for one thread only; ``_llvm`` takes their place when it is on.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Kernels are compiled: numba's typing is checked by compiling them.

from __future__ import annotations

from winterkingdom_env.core._jit import SETTINGS, kernel
from winterkingdom_env.core.rows import CACHE_LINE

CALLER = 0  # the worker that asks for the work and waits for its end; the others are helpers
NO_CHUNK = -1
# A worker's line: the chunks from FIRST to END - 1 are its share, those from NEXT on are not taken yet. When its share is taken it takes
# chunks of the others. A helper takes chunks only while it is INSIDE, counts them in TAKEN, and goes when it sees LEAVE or has looked
# LOOKS times for the next round in vain, FIRST_LOOKS times if it has taken none yet: it may come before the round is open.
NEXT, END, FIRST, INSIDE, TAKEN, LEAVE, LOOKS = range(7)
LINE = CACHE_LINE // 8
FIRST_LOOKS = 40_000  # about 50 us
WAITING, DONE, LATE = range(
    3
)  # how a round ends: it could not begin; every chunk is worked on; a helper still works on one
LAST_LOOKS = 100_000  # some 50 us that the caller looks for the end of a helper's last chunk


def atomic_add(array, index, number):
    """Add to an entry of an int64 array, as one step that no other thread sees half done; the number before."""
    before = array[index]
    array[index] += number
    return before


def atomic_load(array, index):
    """An entry of an int64 array, after everything that was written before it was."""
    return array[index]


def atomic_store(array, index, number):
    """Write an entry of an int64 array, after everything that was written before."""
    array[index] = number


if not SETTINGS.DISABLE_JIT:
    from winterkingdom_env.core._llvm import (  # type: ignore[assignment]  # the same operations, compiled
        atomic_add,
        atomic_load,
        atomic_store,
    )


@kernel
def find(control, worker):
    """Take a chunk of the worker's share, or else of another's; NO_CHUNK if all are taken."""
    n = control.shape[0] // LINE
    for k in range(n):
        at = (worker + k) % n * LINE
        end = atomic_load(control, at + END)
        if atomic_load(control, at + NEXT) < end:
            chunk = atomic_add(control, at + NEXT, 1)
            if chunk < end:
                return chunk
    return NO_CHUNK


@kernel
def take(control, worker):
    """The next chunk for this worker. NO_CHUNK: for the caller that all are taken, for a helper that it has waited long enough for more."""
    if worker == CALLER:
        return find(control, worker)
    at = worker * LINE
    is_inside = atomic_load(control, at + INSIDE) != 0
    looks = FIRST_LOOKS if atomic_load(control, at + TAKEN) == 0 else atomic_load(control, at + LOOKS)
    for _ in range(1 + looks):
        if not is_inside and atomic_load(control, at + NEXT) < atomic_load(control, at + END):
            atomic_store(control, at + INSIDE, 1)  # before it takes a chunk: so whoever finds all chunks taken sees it
            is_inside = True
        if is_inside:
            chunk = find(control, worker)
            if chunk != NO_CHUNK:
                atomic_add(control, at + TAKEN, 1)
                return chunk
            atomic_store(control, at + INSIDE, 0)
            is_inside = False
        if atomic_load(control, at + LEAVE):
            break
    return NO_CHUNK


@kernel
def open_round(control):
    """Lay all chunks out; False, and nothing is done, if a helper still works on one of the last round."""
    for at in range(LINE, control.shape[0], LINE):
        if atomic_load(control, at + INSIDE):
            return False
    for at in range(0, control.shape[0], LINE):
        atomic_store(control, at + NEXT, atomic_load(control, at + FIRST))
    return True


@kernel
def enter(control, worker):
    """Before the first chunk: the caller lays them out. False if it must wait."""
    return worker != CALLER or open_round(control)


@kernel
def leave(control, worker):
    """After the last chunk: the caller sees to it that nobody works any more. DONE or LATE."""
    return DONE if worker != CALLER or is_settled(control, LAST_LOOKS) else LATE


@kernel
def close_round(control):
    """Leave no chunk to take."""
    for at in range(0, control.shape[0], LINE):
        atomic_store(control, at + NEXT, atomic_load(control, at + END))


@kernel
def is_settled(control, n_looks):
    """Whether no helper works on a chunk any more, after so many looks at the most."""
    for at in range(LINE, control.shape[0], LINE):
        left = n_looks
        while atomic_load(control, at + INSIDE):
            if left == 0:
                return False
            left -= 1
    return True
