"""`fourcast train boosted`, as a process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fourcast.learning.training import PUBLISHED_ACCURACY
from fourcast.models.files import load_card, read_model_bytes
from tests.cli.command import fourcast, open_terminal, read_until, start
from tests.learning.sets import QUICK as QUICK_SETTINGS
from tests.learning.sets import small_file, small_training, uci_rows

QUICK = ("--features", "windows,clock", "--rounds", "20", "--leaves", "7", "--threads", "1")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(small_file(tmp_path_factory.mktemp("sets")))


def boosted(*arguments: str) -> subprocess.CompletedProcess[str]:
    return fourcast("train", "boosted", *arguments)


def test_a_model_is_trained_judged_and_written(small: str, tmp_path: Path) -> None:
    out, report = tmp_path / "new" / "oak", tmp_path / "deep" / "report"
    done = boosted("--data", small, *QUICK, "-o", str(out), "--report", str(report), "--fresh", "100")
    assert (done.returncode, done.stderr) == (0, "")
    card = load_card(out.with_name("oak.json"))
    lines = done.stdout.splitlines()
    assert lines[0] == "600 positions of 4x5x4: 100 loss, 243 draw, 257 win"
    assert lines[1] == f"{card.data['learnt_from']} to learn from, {card.data['held_out']} held out"
    assert "LEAK" not in done.stdout
    for words in ("balanced accuracy", "macro F1", "log-loss", "calibration error", "precision", "windows"):
        assert words in done.stdout, words
    assert re.search(r"training \d+\.\d s; a position \d+ us alone, \d+\.\d us in a batch", done.stdout)
    fresh = card.metrics["fresh"]
    assert f"on {fresh['positions']} fresh positions: accuracy {fresh['accuracy']:.2%}" in done.stdout
    assert lines[-2] == f"Written to {card.path} and {out.with_name('oak.txt.gz')}"
    assert lines[-1] == f"Plots and figures are in {report}"
    assert max(map(len, lines[:-2])) <= 80
    assert sorted(each.name for each in out.parent.iterdir()) == ["oak.json", "oak.txt.gz"], "no part is left"
    plots = ("calibration", "confusion", "importance", "learning")
    drawn = [f"{name}.{form}" for name in plots for form in ("png", "svg")]
    assert sorted(each.name for each in report.iterdir()) == sorted(["figures.json", *drawn])
    assert json.loads((report / "figures.json").read_text())["natural"]["positions"] == card.data["held_out"]
    assert card.purpose == "Loss, draw or win of 4x5x4 positions after 4 to 14 discs"
    assert read_model_bytes(card).startswith(b"tree\n")


def test_a_program_reads_json_and_every_setting_counts(small: str, tmp_path: Path) -> None:
    done = boosted(
        *("--data", small, "--board", "4x5x4", "--features", "clock", "--rounds", "4", "--threads", "1"),
        *("--learning-rate", "0.3", "--leaves", "5", "--least", "9", "--l2", "2", "--feature-share", "0.7"),
        *("--balance", "--quiet", "--no-mirror", "--seed", "5", "--fresh", "0", "--purpose", "to see"),
        *("-o", str(tmp_path / "elm"), "--json"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["settings"] == {
        "rounds": 4,
        "learning_rate": 0.3,
        "leaves": 5,
        "least": 9,
        "l2": 2.0,
        "feature_share": 0.7,
        "members": 1,
        "seed": 5,
    }
    assert (found["protocol"], found["model"], found["search"]) == ("honest", "lightgbm", None)
    assert found["leaks"]["leaked"] == 0
    assert [each["group"] for each in found["importance"]] == ["clock"]
    card = load_card(Path(found["card"]))
    assert (card.purpose, card.mirror, card.data["quiet"]) == ("to see", False, True)
    assert card.data["positions"] < 600
    assert (card.data["seed"], card.training["balanced"]) == (5, True)
    assert set(card.metrics) == {"natural", "balanced"}


@pytest.mark.slow
def test_by_the_published_protocol_the_leak_is_told(tmp_path: Path) -> None:
    path = tmp_path / "connect-4.data"
    path.write_text("\n".join(uci_rows()))
    done = boosted("--data", str(path), "--protocol", "published", "--threads", "1")
    assert (done.returncode, done.stderr) == (0, "")
    leaked = re.search(r"LEAK: (\d+) of the (\d+) rows held out \((\d+)%\) are in the training", done.stdout)
    assert leaked is not None
    assert int(leaked[1]) > int(leaked[2]) / 3
    assert f"published {PUBLISHED_ACCURACY:.2%}, here " in done.stdout
    assert "by the same protocol" in done.stdout
    found = json.loads(
        boosted("--data", str(path), "--protocol", "published", "--threads", "1", "--json").stdout
    )
    assert (found["model"], found["card"]) == ("hist", None)
    assert (found["leaks"]["leaked"], found["leaks"]["held"]) == (int(leaked[1]), int(leaked[2]))
    assert found["settings"]["max_iter"] == 490


@pytest.mark.slow
def test_the_baseline_goes_honestly_too(small: str) -> None:
    found = json.loads(boosted("--data", small, "--model", "hist", "--threads", "1", "--json").stdout)
    assert (found["model"], found["protocol"], found["leaks"]["leaked"]) == ("hist", "honest", 0)


@pytest.mark.slow
def test_folds_are_summed_up(small: str) -> None:
    done = boosted("--data", small, *QUICK, "--folds", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [
        *("accuracy", "balanced_accuracy", "macro_f1", "log_loss")
    ]
    found = json.loads(boosted("--data", small, *QUICK, "--folds", "3", "--json").stdout)
    assert f"{found['accuracy']['mean']:.4f}" in done.stdout
    assert found["accuracy"]["count"] == 3


@pytest.mark.slow
def test_a_search_says_what_it_found_and_goes_on(small: str, tmp_path: Path) -> None:
    study = str(tmp_path / "study.db")
    command = ("--data", small, *QUICK, "--study", study, "--search")
    done = boosted(*command, "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "the best settings of the search, log-loss " in done.stdout.splitlines()[0]
    found = json.loads(boosted(*command, "3", "--json").stdout)
    assert found["search"]["trials"] == 3
    assert 15 <= found["settings"]["leaves"] <= 127
    assert found["search"]["log_loss"] <= float(done.stdout.split("log-loss ")[1].split()[0]) + 1e-4


# --- stopping and going on ---


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 120
    while not path.exists() and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    assert path.exists()


@pytest.mark.slow
def test_ctrl_c_keeps_a_checkpoint_and_the_same_command_ends_in_the_same_model(
    small: str, tmp_path: Path
) -> None:
    command = ["--data", small, "--features", "windows,potential,clock", "--rounds", "400", "--threads", "1"]
    command += ["--fresh", "0", "--json"]
    stopped, whole = tmp_path / "stopped" / "ash", tmp_path / "whole" / "ash"
    part = stopped.with_name("ash.part")
    process = start(["train", "boosted", *command, "-o", str(stopped)])
    wait_for(part, process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == f"fourcast: stopped; what is done is in {part}; the same command goes on\n"
    assert [each.name for each in part.parent.iterdir()] == ["ash.part"]
    for out in (stopped, whole):
        done = boosted(*command, "-o", str(out))
        assert (done.returncode, done.stderr) == (0, "")
        assert sorted(each.name for each in out.parent.iterdir()) == ["ash.json", "ash.txt.gz"]
    one, other = (out.with_name("ash.txt.gz").read_bytes() for out in (stopped, whole))
    assert one == other


@pytest.mark.slow
def test_a_search_that_was_stopped_goes_on(small: str, tmp_path: Path) -> None:
    study = tmp_path / "study.db"
    command = [
        "--data",
        small,
        "--features",
        "clock",
        "--rounds",
        "60",
        "--threads",
        "1",
        "--study",
        str(study),
    ]
    ours, theirs = open_terminal()
    process = start(["train", "boosted", *command, "--search", "5000"], stderr=theirs)
    os.close(theirs)
    read_until(ours, b"trial 3")
    process.send_signal(signal.SIGINT)
    shown = read_until(ours, None)
    assert process.wait(timeout=60) == 130
    os.close(ours)
    assert f"what is done is in {study}" in " ".join(shown.decode().split())
    assert process.stdout is not None
    assert process.stdout.read() == ""
    process.stdout.close()
    found = json.loads(boosted(*command, "--search", "2", "--json").stdout)
    assert found["search"]["trials"] == 2, "which are done"


def test_progress_is_shown_on_a_terminal_and_kept_out_of_stdout(small: str) -> None:
    ours, theirs = open_terminal(120)
    process = start(["train", "boosted", "--data", small, *QUICK, "--json"], stderr=theirs)
    os.close(theirs)
    seen = read_until(ours, None)
    stdout, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    assert json.loads(stdout)["model"] == "lightgbm"
    assert b"training: log-loss 0." in seen
    assert b"importance" in seen
    assert re.search(rb"\d:\d\d:\d\d", seen), "the time that is left"


# --- what goes wrong ---


def refused(message: str, folder: Path, *arguments: str) -> None:
    """It is one line and a 2, and nothing is in the folder."""
    done = boosted(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), (arguments, done.stderr)
    assert message in done.stderr
    assert not list(folder.iterdir()), arguments


@pytest.mark.slow
def test_options_that_are_nothing_are_one_line_and_leave_nothing(small: str, tmp_path: Path) -> None:
    out, study = str(tmp_path / "oak"), str(tmp_path / "study.db")
    for arguments, message in {
        ("--protocol", "hopeful"): "--protocol 'hopeful': it is one of honest, published",
        ("--model", "forest"): "--model 'forest': it is one of lightgbm, hist",
        ("--features", "luck"): "there is no group 'luck' of features",
        ("--board", "6x7x4"): "small.csv is of board 4x5x4, not 6x7x4",
        ("--board", "6"): "board '6'",
        ("--data", "lost.csv"): "cannot read 'lost.csv': No such file",
        ("--rounds", "0"): "rounds 0: it must be 1 to 20000",
        ("--learning-rate", "2"): "learning_rate 2",
        ("--seed", "-1"): "seed -1",
        ("--threads", "0"): "--threads 0",
        ("--threads", "100000"): "--threads 100000: 256 is the most",
        ("--fresh", "-1", "-o", out): "--fresh -1",
        ("--folds", "1"): "--folds 1",
        ("--search", "0", "--study", study): "--search 0",
        ("--search", "1", "--study", str(tmp_path)): "it is not a file",
        ("-o", str(tmp_path / "Oak Tree")): "a model's name has small letters",
        ("-o", "/proc/no/oak"): "-o /proc/no: No such file",
        ("--report", "/proc/no"): "--report /proc/no: No such file",
    }.items():
        refused(message, tmp_path, "--data", small, *arguments)


def test_what_does_not_go_together_is_one_line_and_leaves_nothing(small: str, tmp_path: Path) -> None:
    out, study = str(tmp_path / "oak"), str(tmp_path / "study.db")
    published, hist = ("--protocol", "published"), ("--model", "hist")
    for arguments, message in {
        ("--folds", "3", "-o", out): "-o: it does not go with --folds, which writes nothing",
        ("--folds", "3", *hist): "--folds: --model hist is there to compare with: it is trained once",
        ("--search", "3"): "--search N and --study FILE go together",
        ("--study", study): "--search N and --study FILE go together",
        (*published, "--model", "lightgbm", "-o", out): "-o: --protocol published is there to compare with",
        (*published, "--model", "lightgbm", "--folds", "3"): "--folds: --protocol published",
        (*published, "--balance"): "--balance: --protocol published is there to compare with: it balances",
        (*hist, "-o", out): "-o: --model hist is there to compare with",
        (*hist, "--search", "3", "--study", study): "--search: --model hist",
        (*hist, "--leaves", "9"): "--leaves: --model hist is there to compare with: it has the settings",
    }.items():
        refused(message, tmp_path, "--data", small, *arguments)


def test_an_option_that_would_be_ignored_is_refused(small: str, tmp_path: Path) -> None:
    """Also if it says what is so anyway."""
    published, hist, folds = ("--protocol", "published"), ("--model", "hist"), ("--folds", "3")
    for arguments, message in {
        (*published, "--seed", "229"): "--seed: --protocol published is there to compare with: its seed is",
        (*published, "--no-mirror"): "--no-mirror: --model hist is there to compare with: it is asked",
        (*published, "--mirror"): "--mirror: --model hist",
        (*published, "--rounds", "1000"): "--rounds: --model hist",
        (*published, "--purpose", "to see"): "--purpose: it goes with -o NAME",
        (*hist, "--no-mirror"): "--no-mirror: --model hist",
        (*hist, "--feature-share", "0.15"): "--feature-share: --model hist",
        (*folds, "--report", str(tmp_path / "report")): "--report: it does not go with --folds",
        (*folds, "--fresh", "10"): "--fresh: it does not go with --folds",
        (*folds, "--purpose", "to see"): "--purpose: it does not go with --folds",
        ("--fresh", "2000"): "--fresh: it goes with -o NAME",
        ("--purpose", "to see"): "--purpose: it goes with -o NAME",
    }.items():
        refused(message, tmp_path, "--data", small, *arguments)


@pytest.mark.slow
def test_by_the_published_protocol_lightgbm_has_a_seed_and_settings_of_its_own(small: str) -> None:
    command = ("--data", small, *QUICK, "--protocol", "published", "--model", "lightgbm", "--json")
    one, other = (json.loads(boosted(*command, "--seed", seed).stdout) for seed in ("1", "2"))
    assert (one["model"], one["settings"]["seed"], other["settings"]["seed"]) == ("lightgbm", 1, 2)
    assert one["natural"]["log_loss"] != other["natural"]["log_loss"]


@pytest.mark.parametrize("purpose", ["", "  ", "two\nlines", "x" * 501, "\x1b[2J"])
def test_a_purpose_that_no_card_could_hold_is_refused_before_anything_is_read(
    purpose: str, tmp_path: Path
) -> None:
    wrong = ("--data", "lost.csv", "--purpose", purpose, "-o", str(tmp_path / "oak"))
    refused("it must be one line of 1 to 500 letters", tmp_path, *wrong)


@pytest.mark.slow
def test_a_part_of_another_training_is_refused_and_stays(small: str, tmp_path: Path) -> None:
    part = tmp_path / "oak.part"
    command = ("--data", small, *QUICK, "--fresh", "0", "-o", str(tmp_path / "oak"))
    small_training(replace(QUICK_SETTINGS, seed=77)).boosted(part, repeats=0)
    kept = part.read_bytes()
    done = boosted(*command)
    assert (done.returncode, done.stdout, done.stderr) == (
        *(2, ""),
        f"fourcast: {part} was begun with other settings or data: remove it, or write to another name\n",
    )
    assert part.read_bytes() == kept
    part.write_bytes(kept[:-9])
    done = boosted(*command, "--data", "lost.csv")
    assert (done.returncode, done.stdout, done.stderr) == (
        *(2, ""),
        f"fourcast: {part} is damaged, or not what training keeps: remove it, or write to another name\n",
    )
    assert [each.name for each in tmp_path.iterdir()] == ["oak.part"]
    part.unlink()
    assert boosted(*command).returncode == 0


def test_a_model_whose_place_is_taken_is_refused_before_training(small: str, tmp_path: Path) -> None:
    (tmp_path / "oak.json").mkdir()
    done = boosted("--data", small, *QUICK, "-o", str(tmp_path / "oak"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "oak.json: it is a folder" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["oak.json"], "no part: it has not begun"


@pytest.mark.slow
def test_a_set_that_is_none_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    for rows, message in {
        ("a,b,c", "1,2,3"): "it is no set of positions: its columns need board",
        (uci_rows()[0].replace("win", "good").replace("loss", "bad").replace("draw", "so"),): "line 1: label",
        (uci_rows()[0],): "too few classes",
        ("board,moves,score", "4x5x4,1,0", "4x5x4,2,1", "4x5x4,3,-1"): "3 positions are too few",
    }.items():
        path.write_text("\n".join(rows))
        done = boosted("--data", str(path), *QUICK)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert message in done.stderr


def run_after(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`fourcast ARGUMENTS`, after something has happened to the process."""
    return subprocess.run(
        [sys.executable, "-c", f"{script}\nfrom fourcast.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("module", ["lightgbm", "sklearn", "optuna", "matplotlib"])
def test_without_the_extra_it_is_one_line_that_names_it(module: str, small: str, tmp_path: Path) -> None:
    done = run_after(
        f"import sys; sys.modules[{module!r}] = None",
        *("train", "boosted", "--data", small, *QUICK, "-o", str(tmp_path / "oak")),
        *("--search", "1", "--study", str(tmp_path / "study.db"), "--report", str(tmp_path / "report")),
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr == (
        f"fourcast: {module} is not installed; bring it with: pip install 'fourcast[learn]'\n"
    )
    assert not (tmp_path / "oak.json").exists()


@pytest.mark.parametrize("room", [300, 3000])
def test_a_disk_that_fills_is_one_line_and_nothing_is_half_written(
    room: int, small: str, tmp_path: Path
) -> None:
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))"
    )
    done = run_after(limit, "train", "boosted", "--data", small, *QUICK, "-o", str(tmp_path / "oak"))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "File too large" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [[], ["boosted"]])
def test_the_help_has_an_example(arguments: list[str]) -> None:
    done = fourcast("train", *arguments, "--help")
    assert done.returncode == 0
    assert "Example: fourcast train boosted" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert fourcast("train").stdout == fourcast("train", "--help").stdout
