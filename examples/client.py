#!/usr/bin/env python3
"""A whole game through the pipe: one engine plays all seats.

For authors of clients, to copy from. The client shuffles the bag and fills the
racks, and knows no rule of the game: the engine chooses the moves, says what
they score, whose turn it is, how many tiles are drawn, and when and how the
game ends. So it works with every rule set. protocol.md explains every line.

    cargo build --release
    python3 examples/client.py --movetime 100 --seed 1
    python3 examples/client.py --option Rules=super --option Players=4
"""

import argparse
import queue
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

# The longest wait for an answer in seconds, besides the time to think: enough
# to load a lexicon on a slow machine.
PATIENCE = 30


class Failure(Exception):
    """The engine refused a command, did not answer in time, or ended."""


class Engine:
    """An engine process and the lines that it writes."""

    def __init__(self, path):
        try:
            self.process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise Failure(f"cannot start {path}: {error.strerror}") from error
        # A thread reads, because reading from a pipe has no time limit.
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)  # The engine has closed its output.

    def ask(self, command, start, thinking=0.0):
        """Sends a command and returns the words of the next line that starts with `start`.

        It skips other lines: they are for people, or for clients that show
        more than this one, and later versions may have new kinds. An error
        line ends the program, because this client sends nothing that an
        engine should refuse.
        """
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failure(f"the engine does not listen: {error}") from error
        limit = time.monotonic() + PATIENCE + thinking
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, limit - time.monotonic()))
            except queue.Empty:
                raise Failure(f"the engine did not answer '{start}' in time") from None
            if line is None:
                raise Failure(f"the engine ended before its answer '{start}'")
            if line.startswith("info string error "):
                raise Failure("the engine refused: " + " ".join(line.split()[3:]))
            if line.startswith(start):
                return line.split()

    def quit(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        try:
            code = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("the engine did not quit in time") from None
        if code != 0:
            raise Failure(f"the engine ended with code {code}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # No process stays behind, whatever went wrong. After `quit` there is none.
        self.process.kill()
        self.process.wait()


def value(words, key):
    """Returns the word after a key, wherever the key stands in the line."""
    try:
        return words[words.index(key) + 1]
    except (ValueError, IndexError):
        raise Failure(f"'{' '.join(words)}' has no {key}") from None


def tiles(text):
    """Splits a text into tiles: single characters, or several in brackets."""
    return re.findall(r"\[.*?\]|[^-]", text)


class Table:
    """The moves so far, and what only the client knows: the bag and the racks."""

    def __init__(self, engine, seed):
        self.engine = engine
        self.chance = random.Random(seed)
        self.moves = []
        start = self.state([])
        self.bag = tiles(value(start, "unseen"))
        size, players = int(value(start, "rack")), int(value(start, "players"))
        self.racks = [self.draw(size) for _ in range(players)]

    def state(self, moves, eyes="eyes all "):
        listed = " ".join(["moves", *moves]) if moves else ""
        return self.engine.ask(f"position {eyes}startpos {listed}\nstate", "info state")

    def draw(self, count):
        return [self.bag.pop(self.chance.randrange(len(self.bag))) for _ in range(count)]

    def set_position(self):
        """Sends the whole game. The search sees only the rack of the player to move."""
        racks = "/".join("".join(sorted(rack)) for rack in self.racks)
        return self.state([*self.moves, f"racks.{racks}"], eyes="")

    def play(self, seat, move):
        """Makes a move. The engine says what stays on the rack and how many tiles it lacks."""
        self.moves.append(f"{move}.{''.join(sorted(self.racks[seat]))}")
        after = self.state(self.moves)
        known = [tiles(rack) for rack in value(after, "racks").split("/")]
        lacking = int(value(after, "unknown").split("/")[seat])
        self.racks[seat] = known[seat] + self.draw(lacking)
        # What is neither on the board nor on a rack is in the bag; so exchanged tiles return.
        off_board = Counter(tiles(value(after, "unseen"))) + Counter(sum(known, []))
        self.bag = sorted((off_board - Counter(sum(self.racks, []))).elements())


def play(engine, table, movetime):
    """Plays a game, and returns its last state. For a match start an engine for each seat, and ask
    the one of the player to move."""
    while True:
        state = table.set_position()
        if value(state, "over") != "no":
            return state
        seat = int(value(state, "tomove")) - 1
        rack = "".join(sorted(table.racks[seat]))
        answer = engine.ask(f"go movetime {movetime}", "bestmove", movetime / 1000)
        move = value(answer, "bestmove")
        # The engine is also the referee: it says whether the move is valid.
        checked = engine.ask(f"check {move}", "info check")
        if value(checked, "valid") != "yes":
            raise Failure(f"{move} is not valid: {' '.join(checked)}")
        score = int(value(checked, "score"))
        total = int(value(state, "scores").split("/")[seat]) + score
        table.play(seat, move)
        turn, bag = len(table.moves), len(table.bag)
        print(f"{turn:>2}  player {seat + 1}  {rack:7}  {move:<19} {score:>3}  {total:>4}  bag {bag}")


def finish(table, state):
    changes = value(state, "adjustments").split("/")
    for player, (rack, change) in enumerate(zip(table.racks, changes), 1):
        print(f"player {player} is left with {''.join(sorted(rack)) or '-'}: {int(change):+}")
    print("final score", *value(state, "final").split("/"))
    print("position startpos moves", *table.moves)


def main():
    built = Path(__file__).resolve().parent.parent / "target" / "release" / "cazique"
    parser = argparse.ArgumentParser(description="Plays a whole game with one engine process.")
    parser.add_argument("engine", nargs="?", default=str(built), help="the engine (%(default)s)")
    parser.add_argument("--movetime", type=int, default=100, help="milliseconds for each move (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the shuffled bag (%(default)s)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    try:
        with Engine(arguments.engine) as engine:
            engine.ask("siu", "siuok")
            for option in arguments.option:
                name, _, text = option.partition("=")
                # An error of the option comes before this answer.
                engine.ask(f"setoption name {name} value {text}\nisready", "readyok")
            table = Table(engine, arguments.seed)
            finish(table, play(engine, table, arguments.movetime))
            engine.quit()
    except Failure as error:
        sys.exit(f"client: {error}")


if __name__ == "__main__":
    main()
