"""Distribution of chunks of work to threads, by atomic operations inside compiled code (``threads`` manages the threads).

``control`` is an int64 array with one cache line per worker. As in ``bits``: the plain definitions run when compilation is off, and then
for one thread only; ``_llvm`` replaces them when it is on.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# Kernels are compiled: numba's typing is checked by compiling them.

from __future__ import annotations

from winterkingdom_env.core._jit import SETTINGS, kernel
from winterkingdom_env.core.rows import CACHE_LINE

CALLER = 0  # the worker that starts a round and waits for its end; the others are helpers
NO_CHUNK = -1
# A worker's line: its share are the chunks FIRST to END - 1; those from NEXT on are not taken yet. When its share is used up, it takes chunks
# of other workers. A helper takes chunks only while it is INSIDE and counts them in TAKEN. It leaves when it sees LEAVE, or after it has
# polled LOOKS times for the next round (FIRST_LOOKS times if it has taken none yet, because it may arrive before the round opens).
NEXT, END, FIRST, INSIDE, TAKEN, LEAVE, LOOKS = range(7)
LINE = CACHE_LINE // 8
FIRST_LOOKS = 40_000  # about 50 us
WAITING, DONE, LATE = range(
    3
)  # results of a round: it could not begin; all chunks are done; a helper is still working on one
LAST_LOOKS = 100_000  # about 50 us in which the caller polls for the end of a helper's last chunk


def atomic_add(array, index, number):
    """Add to an entry of an int64 array atomically, and return the old value."""
    before = array[index]
    array[index] += number
    return before


def atomic_load(array, index):
    """Load an entry of an int64 array with acquire order: what was written before it is visible."""
    return array[index]


def atomic_store(array, index, number):
    """Store an entry of an int64 array with release order: earlier writes are visible before it."""
    array[index] = number


if not SETTINGS.DISABLE_JIT:
    from winterkingdom_env.core._llvm import (  # type: ignore[assignment]  # the same operations, compiled
        atomic_add,
        atomic_load,
        atomic_store,
    )


@kernel
def find(control, worker):
    """Take a chunk of the worker's share, or else of another worker's; NO_CHUNK if all are taken."""
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
    """The next chunk for this worker. NO_CHUNK: all are taken (caller), or no new round opened in time (helper)."""
    if worker == CALLER:
        return find(control, worker)
    at = worker * LINE
    is_inside = atomic_load(control, at + INSIDE) != 0
    looks = FIRST_LOOKS if atomic_load(control, at + TAKEN) == 0 else atomic_load(control, at + LOOKS)
    for _ in range(1 + looks):
        if not is_inside and atomic_load(control, at + NEXT) < atomic_load(control, at + END):
            atomic_store(
                control, at + INSIDE, 1
            )  # before it takes a chunk, so that it is visible when all chunks are taken
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
    """Make all chunks available. Return False, and do nothing, if a helper is still working on the last round."""
    for at in range(LINE, control.shape[0], LINE):
        if atomic_load(control, at + INSIDE):
            return False
    for at in range(0, control.shape[0], LINE):
        atomic_store(control, at + NEXT, atomic_load(control, at + FIRST))
    return True


@kernel
def enter(control, worker):
    """Call before the first chunk: the caller opens the round. False if it must wait."""
    return worker != CALLER or open_round(control)


@kernel
def leave(control, worker):
    """Call after the last chunk: the caller closes the round and waits for helpers. DONE or LATE."""
    return DONE if worker != CALLER or is_settled(control, LAST_LOOKS) else LATE


@kernel
def close_round(control):
    """Make no chunk available."""
    for at in range(0, control.shape[0], LINE):
        atomic_store(control, at + NEXT, atomic_load(control, at + END))


@kernel
def is_settled(control, n_looks):
    """Whether all helpers have finished their chunks, polled at most ``n_looks`` times."""
    for at in range(LINE, control.shape[0], LINE):
        left = n_looks
        while atomic_load(control, at + INSIDE):
            if left == 0:
                return False
            left -= 1
    return True
