"""Observations, in two forms with the same content.

``packed``  uint32 words: the bit rows of every plane, then the words of every field
``planes``  a uint8 plane of 0 and 1 per set of hexes, and a float32 vector

A game specifies its observation once, as a ``Spec``: planes, then fields. Its kernel writes the packed form; everything else (planes,
vectors, spaces, the page in the docs) is derived from the Spec.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import store_bits
from winterkingdom_env.core.extras import needed

if TYPE_CHECKING:
    import torch

WORD = 32
U32 = np.uint32
FORMS = ("planes", "packed")


class Kind(IntEnum):
    """The encoding of a field in its words."""

    BITS = 0  # entry i is bit i
    CHOICE = 1  # one word: 0 for none, else 1 + the entry that is set
    NUMBER = 2  # one word: the number itself, as int32; the entry is the number divided by the field's scale


class News(IntEnum):
    """What an output buffer held before; also when a plane or a field can change."""

    GAME = 0  # another game, or nothing; such a plane is constant during a game
    SEAT = 1  # this game, observed by another seat or at another turn
    TURN = 2  # this turn, observed by this seat


@dataclass(frozen=True)
class Plane:
    """One set of hexes; ``news``: when it can change."""

    name: str
    text: str
    news: News = News.TURN


@dataclass(frozen=True)
class Field:
    """``count`` items (one per seat, for example) of ``size`` entries each."""

    name: str
    text: str
    kind: Kind
    size: int = 1
    count: int = 1
    scale: int = 1
    most: int = 1  # the largest possible number
    least: int = 0  # the smallest possible number
    is_name: bool = False  # a one-hot card identity, some of which may never occur in training
    news: News = News.TURN  # when it can change

    @property
    def n_words(self) -> int:
        """Words in the packed form."""
        return self.count * (-(-self.size // WORD) if self.kind == Kind.BITS else 1)

    @property
    def n_entries(self) -> int:
        """Entries in the vector."""
        return self.count * self.size


# One row per item: where it is and how to decode it.
FIELD_ROW = np.dtype(
    [
        ("kind", np.int64), ("word", np.int64), ("entry", np.int64), ("size", np.int64),
        ("room", np.int64),  # the entry up to which a write may run over: later items overwrite it
        ("next", np.int64),  # the next row with different ``news``
        ("scale", np.float32), ("news", np.int32),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Spec:
    """The specification of a game's observation: planes of ``rows`` by ``columns``, if it has a board, then fields."""

    planes: tuple[Plane, ...]
    fields: tuple[Field, ...]
    rows: int = 0
    columns: int = 0

    @cached_property
    def n_words(self) -> int:
        """Words in the packed form."""
        return len(self.planes) * self.rows + sum(field.n_words for field in self.fields)

    @cached_property
    def n_entries(self) -> int:
        """Entries in the vector."""
        return sum(field.n_entries for field in self.fields)

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        """Shape of the planes: planes, rows, columns."""
        return len(self.planes), self.rows, self.columns

    def plane(self, name: str) -> int:
        """Index of a plane."""
        names = [plane.name for plane in self.planes]
        if name not in names:
            raise ValueError(f"no plane is called {name!r}; the planes are: {', '.join(names)}")
        return names.index(name)

    def placed_fields(self) -> Iterator[tuple[Field, int, int]]:
        """Every field with its first word in the packed form and its first entry in the vector."""
        word, entry = len(self.planes) * self.rows, 0
        for field in self.fields:
            yield field, word, entry
            word += field.n_words
            entry += field.n_entries

    def word(self, name: str) -> int:
        """First word of a field in the packed form."""
        return self._placed(name)[1]

    def entries(self, name: str) -> slice:
        """The slice of a field in the vector."""
        field, _, first = self._placed(name)
        return slice(first, first + field.n_entries)

    def _placed(self, name: str) -> tuple[Field, int, int]:
        for placed in self.placed_fields():
            if placed[0].name == name:
                return placed
        raise ValueError(
            f"no field is called {name!r}; the fields are: {', '.join(field.name for field in self.fields)}"
        )

    @cached_property
    def table(self) -> NDArray[np.void]:
        """A FIELD_ROW per item, for kernels."""
        rows = [
            (field.kind, word + i * field.n_words // field.count, entry + i * field.size, field.size, 0, 0, field.scale, field.news)
            for field, word, entry in self.placed_fields()
            for i in range(field.count)
        ]  # fmt: skip
        table = np.array(rows, FIELD_ROW)
        for i, row in enumerate(table):
            later, lasting = (
                np.flatnonzero(is_so) + i
                for is_so in (table["news"][i:] != row["news"], table["news"][i:] < row["news"])
            )
            row["next"] = later[0] if len(later) else len(table)
            row["room"] = table["entry"][lasting[0]] if len(lasting) else self.n_entries
        return table

    @cached_property
    def news(self) -> NDArray[np.int8]:
        """``news`` of each plane, for kernels."""
        return np.array([plane.news for plane in self.planes], np.int8)

    @cached_property
    def least(self) -> NDArray[np.float32]:
        """Lower bounds of the vector's entries."""
        return self._bounds([field.least / field.scale if field.kind == Kind.NUMBER else 0.0 for field in self.fields])

    @cached_property
    def most(self) -> NDArray[np.float32]:
        """Upper bounds of the vector's entries."""
        return self._bounds([field.most / field.scale if field.kind == Kind.NUMBER else 1.0 for field in self.fields])

    def _bounds(self, by_field: list[float]) -> NDArray[np.float32]:
        return np.repeat(by_field, [field.n_entries for field in self.fields]).astype(np.float32)

    @cached_property
    def _source(self) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32]]:
        """For each entry: its word, the shift, the value to compare with (0: it is a number), and its scale."""
        words, shifts, wanted, scales = [], [], [], []
        for row in self.table:
            for i in range(row["size"]):
                is_bit, is_choice = row["kind"] == Kind.BITS, row["kind"] == Kind.CHOICE
                words.append(row["word"] + (i // WORD if is_bit else 0))
                shifts.append(i % WORD if is_bit else 0)
                wanted.append(1 if is_bit else i + 1 if is_choice else 0)
                scales.append(row["scale"])
        return np.array(words), np.array(shifts, U32), np.array(wanted, U32), np.array(scales, np.float32)

    @cached_property
    def _is_bit(self) -> NDArray[np.bool_]:
        return np.repeat(self.table["kind"] == Kind.BITS, self.table["size"])

    def _check(self, shape: tuple[int, ...], kind: str) -> None:
        if not shape or shape[-1] != self.n_words or kind not in ("uint32", "int32", "int64"):
            raise ValueError(
                f"packed observations are words (uint32, int32 or int64) whose last axis has {self.n_words} "
                f"entries; found {kind} of shape {tuple(shape)}"
            )

    def unpack(self, packed: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
        """Unpack observations with any leading axes: "observation" (uint8 planes), "vector" (float32)."""
        packed = np.asarray(packed)
        self._check(packed.shape, str(packed.dtype))
        packed = packed.astype("<u4", copy=False)
        rows = np.ascontiguousarray(packed[..., : len(self.planes) * self.rows])
        bits = np.unpackbits(rows.view(np.uint8), axis=-1, bitorder="little")
        planes = bits.reshape(*packed.shape[:-1], len(self.planes), self.rows, WORD)[..., : self.columns]
        words, shifts, wanted, scales = self._source
        found = packed[..., words]
        found = np.where(self._is_bit, (found >> shifts) & U32(1), found)
        vector = np.where(wanted == 0, found.astype(np.int32) / scales, found == wanted)
        return {"observation": np.ascontiguousarray(planes), "vector": vector.astype(np.float32)}

    def unpack_torch(self, packed: torch.Tensor, dtype: torch.dtype | None = None) -> dict[str, torch.Tensor]:
        """The same on the tensor's device; "observation" and "vector" have ``dtype`` (default float32)."""
        needed("torch", "unpack_torch")
        import torch

        self._check(tuple(packed.shape), str(packed.dtype).removeprefix("torch."))
        dtype = dtype or torch.float32
        # Few torch operations support uint32. A right shift of int32 keeps the sign, and the mask removes it.
        packed = packed.view(torch.int32) if packed.dtype == torch.uint32 else packed
        rows = packed[..., : len(self.planes) * self.rows].reshape(*packed.shape[:-1], *self.planes_shape[:2], 1)
        columns = torch.arange(self.columns, dtype=packed.dtype, device=packed.device)
        words, shifts, wanted, scales = (
            torch.as_tensor(part.astype(np.int64) if part.dtype != np.float32 else part, device=packed.device)
            for part in self._source
        )
        found = packed[..., words]
        is_bit = torch.as_tensor(self._is_bit, device=packed.device)
        found = torch.where(is_bit, (found >> shifts.to(packed.dtype)) & 1, found)
        vector = torch.where(wanted == 0, found / scales, (found == wanted).to(torch.float32))
        return {"observation": ((rows >> columns) & 1).to(dtype), "vector": vector.to(dtype)}


@kernel(inline=True)
def unpack_plane(packed, plane, rows, columns, planes):
    """Write one plane of a packed observation into ``planes``, uint8, each of ``rows`` rows, at least 2, and 16 to 32 ``columns``.

    Inlined with constant ``rows`` and ``columns``: a loop of known length is a fifth faster.
    """
    first, end = plane * rows, (plane + 1) * rows - 1
    for row in range(rows - 1):
        # Writes 32 bytes; the next row overwrites those beyond this row.
        store_bits(planes, (first + row) * columns, packed[first + row])
    # No write may go past the last row: its 32 bytes start at the end of the row before.
    before = WORD - columns
    bits = (packed[end] << U32(before)) | (packed[end - 1] >> U32(columns - before))
    store_bits(planes, end * columns - before, U32(bits))


@kernel
def unpack_vector(packed, table, news, vector):
    """Write the fields of one packed observation into ``vector``, float32. ``table``: Spec.table. ``news``: what the vector held before."""
    i = 0
    while i < table.shape[0]:
        row = table[i]
        if news > row["news"]:
            i = row["next"]
            continue
        i += 1
        kind, first, entry, size = row["kind"], row["word"], row["entry"], row["size"]
        if kind == Kind.NUMBER:
            vector[entry] = np.int32(packed[first]) / row["scale"]
            continue
        chosen = np.int64(packed[first]) - 1
        for k in range(0, size, WORD):
            bits = packed[first + (k >> 5)]
            if kind == Kind.CHOICE:
                bits = U32(1 << (chosen - k)) if k <= chosen < k + WORD else U32(0)
            if entry + k + WORD <= row["room"]:
                store_bits(vector, entry + k, bits)  # the next field overwrites entries beyond this one
            else:
                for n in range(size - k):
                    vector[entry + k + n] = (bits >> U32(n)) & U32(1)
