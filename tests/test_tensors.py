"""Files of tensors: a checksum of all their bytes, and files of a time before there was one."""

from __future__ import annotations

import numpy as np
import pytest
from helpers_files import resealed
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from zermelo.errors import ZermeloError
from zermelo.system.tensors import CHECKSUM, check_seal, progress_in, write_tensors


def told_in(path):
    """What the header tells; nothing if it cannot be read."""
    try:
        with safe_open(path, "numpy") as file:
            return file.metadata()
    except SafetensorError:
        return {}


ARRAYS = {"a": np.arange(12.0).reshape(3, 4), "b": np.arange(3, dtype=np.int16)}


def test_any_other_byte_is_noticed(tmp_path):
    path = tmp_path / "file"
    write_tensors(path, ARRAYS, {"told": "a word"})
    check_seal(path)
    with safe_open(path, "numpy") as file:
        assert all(np.array_equal(file.get_tensor(name), array) for name, array in ARRAYS.items())
        assert file.metadata()["told"] == "a word" and len(file.metadata()[CHECKSUM]) == 64
    whole = path.read_bytes()
    for at in range(8, len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            check_seal(path)
        except ZermeloError as error:
            assert str(error) == f"{path} is damaged: it has another checksum"
        else:
            assert CHECKSUM not in told_in(path)
    path.write_bytes(resealed(whole.replace(b"a word", b"a lord")))
    check_seal(path)


def test_files_from_before_are_read(tmp_path):
    save_file(ARRAYS, tmp_path / "old", {"told": "a word"})
    check_seal(tmp_path / "old")
    (tmp_path / "none").write_bytes(b"")
    check_seal(tmp_path / "none")


@pytest.mark.parametrize(("games", "seconds"), [("-5", "1"), ("1", "nan"), ("1", "inf"), ("1", "-1"), ("x", "1"), ("1e9", "1")])
def test_progress_that_cannot_be(games, seconds):
    with pytest.raises(ValueError, match=r"progress|invalid literal"):
        progress_in({"games": games, "seconds": seconds})
    assert progress_in({"games": "5", "seconds": "1.5"}) == (5, 1.5)
