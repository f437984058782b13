"""Whatever was named, played, saved or trained under version 0 is refused in a sentence that names version 1 or what to do."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import gymnasium
import msgspec
import pettingzoo
import pytest

import winterkingdom_env  # noqa: F401  # registers the environments
from agents.arena import main as arena
from agents.results import Store, digest_of, new_tournament
from agents.schedule import Settings
from winterkingdom_env import records
from winterkingdom_env.envs.registration import gymnasium_id, pettingzoo_id
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.search.tensors import read_tensors, write_tensors
from winterkingdom_env.search.weights import WeightsError, load_weights, shipped_file
from winterkingdom_env.winter_kingdom_v1 import raw_env, vector_env

RECORD = Path(__file__).parents[1] / "golden" / "records" / "wk_2p_seed14.jsonl"


def test_module__version_0__cannot_be_imported_and_names_version_1() -> None:
    for _ in range(2):  # a failed import leaves nothing behind
        with pytest.raises(
            ImportError, match=r"winter_kingdom_v0 is gone.*use winter_kingdom_v1, or install .* 0\.5\.0"
        ):
            importlib.import_module("winterkingdom_env.winter_kingdom_v0")
    with pytest.raises(ImportError, match="use winter_kingdom_v1"):
        from winterkingdom_env import winter_kingdom_v0  # noqa: F401


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Gymnasium warns before it raises
def test_gymnasium__id_of_version_0__names_version_1() -> None:
    assert gymnasium_id(wk.NAME) == "WinterKingdom-v1"
    with pytest.raises(gymnasium.error.DeprecatedEnv, match="WinterKingdom-v1"):
        gymnasium.make("WinterKingdom-v0")
    with pytest.raises(gymnasium.error.DeprecatedEnv, match="WinterKingdom-v1"):
        gymnasium.make_vec("WinterKingdom-v0", 2)


def test_pettingzoo__id_of_version_0__names_version_1() -> None:
    assert pettingzoo_id(wk.NAME) == "winterkingdom/winter_kingdom_v1"
    with pytest.raises(Exception, match=r"v0 for 'winterkingdom/winter_kingdom' not found\. Available version: v1"):
        pettingzoo.make("aec", "winterkingdom/winter_kingdom_v0")


def test_record__of_version_0__says_under_which_rules_it_was_played(tmp_path: Path) -> None:
    head, *rest = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(head) | {"env_version": "v0", "package_version": "0.5.0"}
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps(header) + "\n" + "".join(rest), encoding="utf-8")
    assert records.read_record(path).header.env_version == "v0"  # it can still be read, not replayed
    message = r"played under the rules of winter_kingdom v0, this is v1; install the package that wrote it \(0.5.0\)"
    with pytest.raises(records.RecordError, match=message):
        records.replay(path)


def test_policy__of_version_0__says_under_which_rules_it_was_trained(tmp_path: Path) -> None:
    tensors, told = read_tensors(shipped_file(wk.NAME))
    path = tmp_path / "old.safetensors"
    write_tensors(path, tensors, {**told, "env": "v0"})
    message = (
        "was trained on winter_kingdom v0, this is v1: the rules have changed since; train again, or use the version"
    )
    with pytest.raises(WeightsError, match=message):
        load_weights(path)


def test_tournament__of_version_0__is_reported_and_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(agents=("random", "greedy"), game=wk.NAME, games=4, seed=7)
    begun = new_tournament(settings, "python -m agents.arena", "today")
    begun = msgspec.structs.replace(begun, env_version="v0", package_version="0.5.0", digest="")
    folder = tmp_path / "old"
    Store.create(folder, msgspec.structs.replace(begun, digest=digest_of(begun))).close()
    assert arena(["--resume", "--out", str(folder)]) == 2
    told = capsys.readouterr().err
    assert (
        "was played under the rules of winter_kingdom v0, this is v1; install winterkingdom_env 0.5.0 to continue"
        in told
    )
    assert arena(["report", str(folder)]) == 2
    assert "has no finished games yet" in capsys.readouterr().err  # the version is no hindrance here


def test_training_run__of_version_0__is_not_gone_on_with(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: the extra 'train' has it")
    from training import run_folder
    from training.settings import Settings

    path, folder = tmp_path / "settings.json", run_folder.RunFolder(tmp_path)
    path.write_text(json.dumps({"settings": {}, "env": "winter_kingdom_v0"}), encoding="utf-8")
    message = "under the rules of 'winter_kingdom_v0', this is winter_kingdom_v1; start a new run with --out"
    with pytest.raises(run_folder.FolderError, match=message):
        folder.settings(Settings)
    path.write_text(json.dumps({"settings": {}, "env": "winter_kingdom_v1"}), encoding="utf-8")
    assert folder.settings(Settings) == Settings()


@pytest.mark.parametrize("make", [raw_env, lambda: vector_env(2)], ids=["aec", "vector"])
def test_state__of_version_0__is_refused(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(wk, "ENV_VERSION", "v0")
        old = make()
        old.reset(seed=1)
        state = old.get_state()
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="winter_kingdom_v1"):
        env.set_state(state)
