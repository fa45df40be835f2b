"""The binary's home folder, catalogue, releases and feature switches."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextcert.adapters.codex.features import features_from_text, features_to_text
from contextcert.adapters.codex.home import environment, settings, to_toml, write_home
from contextcert.adapters.codex.models import catalogue, model_name
from contextcert.adapters.codex.releases import release_of, switches_of
from contextcert.refmodel import ITEM_TYPES, MODALITIES, Edition


def test_a_home_holds_the_configuration_and_one_model_for_each_modality_set(tmp_path: Path) -> None:
    """The files are what the binary reads: TOML that parses, and a catalogue of eight models."""
    write_home(tmp_path, settings(tmp_path, 1234, (("item_ids", True),)), MODALITIES)
    config = tomllib.loads((tmp_path / "config.toml").read_text(encoding="utf-8"))
    models = json.loads((tmp_path / "catalogue.json").read_text(encoding="utf-8"))["models"]
    assert config["model_providers"]["contextcert"]["base_url"] == "http://127.0.0.1:1234/v1"
    assert config["features"]["item_ids"] is True
    assert config["features"]["hooks"] is False
    assert Path(config["model_catalog_json"]).exists()
    assert len({model["slug"] for model in models}) == 8


def test_older_releases_get_a_catalogue_without_audio() -> None:
    """They refuse a whole catalogue for one modality they do not know."""
    written = json.dumps(catalogue(("text", "image")))
    assert "audio" not in written
    assert written.count('"slug"') == 4


def test_models_are_named_by_their_set() -> None:
    """The order in which modalities are asked for does not matter."""
    assert model_name(["audio", "text"]) == model_name(["text", "audio"]) == "takes-text-audio"
    assert model_name([]) == "takes-nothing"


def test_the_binary_sees_little_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the user's home nor a key of theirs reaches it."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    given = environment(tmp_path)
    assert "SOME_API_KEY" not in given
    assert given["HOME"] == given["CODEX_HOME"] == str(tmp_path)


@given(st.dictionaries(st.sampled_from(["a", "b", "t.a", "t.u.c"]), st.text() | st.booleans()))
def test_settings_survive_toml(values: dict[str, str | bool]) -> None:
    """Any text a path may hold is read back as it was."""
    read = tomllib.loads(to_toml(values))
    for key, value in values.items():
        place = read
        *tables, name = key.split(".")
        for table in tables:
            place = place[table]
        assert place[name] == value


def test_features_are_read_and_written() -> None:
    """The two forms belong together."""
    texts = ("item_ids=true", "hooks=false")
    assert features_to_text(features_from_text(texts)) == texts


@pytest.mark.parametrize("text", ["item_ids", "item_ids=yes", "=true", "a b=true", "a\nb=true"])
def test_a_feature_of_another_form_is_refused(text: str) -> None:
    """The message quotes what was written."""
    with pytest.raises(ValueError, match="name=true or name=false"):
        features_from_text([text])


def test_the_newest_release_claims_every_item_type() -> None:
    """Only passthrough metadata and encrypted arguments never reach its wire."""
    release = release_of("codex-cli 0.171.0")
    assert release.version == "0.171.0"
    assert release.item_types == frozenset(ITEM_TYPES)
    assert release.modalities == frozenset(MODALITIES)
    assert "/encrypted_function_args" in release.hidden_fields["function_call"]
    assert "additional_tools" not in release.hidden_fields


def test_an_older_release_claims_less() -> None:
    """0.142.0 knows no audio, records no tool lists and loses a custom call's namespace."""
    release = release_of("codex-cli 0.142.0")
    assert release.modalities == {"text", "image"}
    assert "additional_tools" not in release.item_types
    assert "/namespace" in release.hidden_fields["custom_tool_call"]


def test_the_oldest_release_shows_no_ids_and_needs_a_message_for_a_turn() -> None:
    """0.121.0 sends nothing for a turn without input, and no item ids whatever is switched on."""
    release = release_of("codex-cli 0.121.0", (("item_ids", True),))
    assert release.edition is Edition.AUGUST_2026
    assert not release.sends_empty_turns
    assert not release.shows_changes
    assert all("/id" in release.hidden_fields[item_type] for item_type in ITEM_TYPES)


@pytest.mark.parametrize(
    ("version", "switched", "edition"),
    [
        ("0.142.0", False, Edition.AUGUST_2026),
        ("0.142.0", True, Edition.NOVEMBER_2026),
        ("0.145.3", False, Edition.AUGUST_2026),
        ("0.145.0", True, Edition.NOVEMBER_2026),
        ("0.150.0", False, Edition.NOVEMBER_2026),
        ("1.0.0", False, Edition.NOVEMBER_2026),
    ],
)
def test_a_release_is_judged_by_the_edition_whose_ids_it_has(
    version: str,
    switched: bool,  # noqa: FBT001 -- a parameter of the test
    edition: Edition,
) -> None:
    """Where ids are given at record time, only edition 2026-11 speaks of them (E11-2)."""
    features = (("item_ids", True),) if switched else ()
    release = release_of(version, features)
    assert release.edition is edition
    assert ("/id" in release.hidden_fields["message"]) is (edition is Edition.AUGUST_2026)
    assert any(edition.value in note for note in release.notes)


def test_ids_are_switched_on_where_they_are_optional() -> None:
    """Such a release is judged as it ships, and with ids."""
    assert switches_of("0.121.0") == ((),)
    assert switches_of("0.142.0") == ((), (("item_ids", True),))
    assert switches_of("0.145.0") == ((), (("item_ids", True),))
    assert switches_of("0.150.0") == ((),)


@pytest.mark.parametrize(("version", "shown"), [("0.145.0", False), ("0.150.0", True)])
def test_changes_are_asked_of_releases_that_read_every_output(
    version: str,
    shown: bool,  # noqa: FBT001 -- a parameter of the test
) -> None:
    """Before, one output without a call id loses the whole replacement that it is part of."""
    assert release_of(version).shows_changes is shown


def test_the_binary_finds_no_program_of_the_system(tmp_path: Path) -> None:
    """Old releases ask some each turn, which takes most of a turn's time."""
    write_home(tmp_path, settings(tmp_path, 1234, ()), MODALITIES)
    path = Path(environment(tmp_path)["PATH"])
    assert path.is_dir()
    assert list(path.iterdir()) == []


def test_a_build_without_a_version_counts_as_the_newest() -> None:
    """A local build is judged in full."""
    assert release_of("codex-cli dev").modalities == frozenset(MODALITIES)
