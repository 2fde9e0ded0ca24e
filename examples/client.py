#!/usr/bin/env python3
"""A whole game through the pipe: one engine plays both sides.

For authors of clients, to copy from. The client keeps the bag, the racks, the
board and the scores. The engine learns what the player to move may know,
chooses the move, and says what a move scores. protocol.md explains every line
that is sent here. The client knows the tournament rules, which are the
engine's default; with options that change the rules it would keep wrong
scores.

    cargo build --release
    python3 examples/client.py --movetime 100 --seed 1
"""

import argparse
import queue
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

# Each tile with its count and its value; "?" is the blank. The source is
# lexica/tiles/english.csv of the repository.
TILES = {
    "?": (2, 0), "A": (9, 1), "B": (2, 3), "C": (2, 3), "D": (4, 2), "E": (12, 1),
    "F": (2, 4), "G": (3, 2), "H": (2, 4), "I": (9, 1), "J": (1, 8), "K": (1, 5),
    "L": (4, 1), "M": (2, 3), "N": (6, 1), "O": (8, 1), "P": (2, 3), "Q": (1, 10),
    "R": (6, 1), "S": (4, 1), "T": (6, 1), "U": (4, 1), "V": (2, 4), "W": (2, 4),
    "X": (1, 8), "Y": (2, 4), "Z": (1, 10),
}
RACK_SIZE = 7
# The number of scoreless turns in a row that ends the game.
MAX_SCORELESS_TURNS = 6
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
                [path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
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

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failure(f"the engine does not listen: {error}") from error

    def answer(self, start, thinking=0.0):
        """Returns the words of the next line that starts with `start`.

        It skips other lines: they are for people, or for clients that show
        more than this one, and later versions may have new kinds. An error
        line ends the program, because this client sends nothing that an
        engine should refuse.
        """
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
            words = line.split()
            if words[: len(start.split())] == start.split():
                return words

    def quit(self):
        self.say("quit")
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


class Game:
    """Bag, racks, board and scores of two players, 0 and 1; 0 begins."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.bag = [tile for tile, (count, _) in TILES.items() for _ in range(count)]
        self.racks = [self.draw(RACK_SIZE), self.draw(RACK_SIZE)]
        self.scores = [0, 0]
        self.board = {}  # (row, column) to letter, lower case for blanks
        self.turns = []  # (player, rack before, move)
        self.scoreless_turns = 0

    def player(self):
        return len(self.turns) % 2

    def rack(self, player):
        return "".join(sorted(self.racks[player]))

    def draw(self, count):
        count = min(count, len(self.bag))
        return [self.bag.pop(self.chance.randrange(len(self.bag))) for _ in range(count)]

    def known_to(self, *players):
        """Returns the moves so far as these players know them.

        They know their own racks, but not the opponent's racks and exchanged
        tiles. An engine that is told about those may use them.
        """
        moves = []
        for player, rack, move in self.turns:
            if player in players and move != "pass":
                moves.append(f"{move}.{rack}")
            elif player not in players and move.startswith("ex."):
                moves.append(f"ex.{len(move) - len('ex.')}")
            else:
                moves.append(move)
        return moves

    def play(self, move, score):
        player = self.player()
        rack = self.racks[player]
        self.turns.append((player, self.rack(player), move))
        self.scores[player] += score
        self.scoreless_turns = 0 if score else self.scoreless_turns + 1
        if move == "pass":
            return
        where, what = move.split(".")
        if where == "ex":
            for tile in what:
                rack.remove(tile)
            # New tiles are drawn before the old ones go into the bag.
            rack += self.draw(len(what))
            self.bag += what
        else:
            self.place(rack, where, what)
            rack += self.draw(RACK_SIZE - len(rack))

    def place(self, rack, where, word):
        """Places a word. Its tiles come from the rack where the board is empty."""
        row = int(where.strip("ABCDEFGHIJKLMNO"))
        column = "ABCDEFGHIJKLMNO".index(where.strip("0123456789"))
        across = where[0].isdigit()
        for letter in word:
            if (row, column) not in self.board:
                self.board[row, column] = letter
                rack.remove("?" if letter.islower() else letter)
            row, column = (row, column + 1) if across else (row + 1, column)

    def is_out(self, player):
        return not self.bag and not self.racks[player]

    def is_over(self):
        return self.is_out(0) or self.is_out(1) or self.scoreless_turns == MAX_SCORELESS_TURNS

    def adjustment(self, player):
        """Returns the points that the tiles left on the racks add to a score."""
        left = [sum(TILES[tile][1] for tile in rack) for rack in self.racks]
        other = 1 - player
        if self.is_out(player):
            return 2 * left[other]
        return 0 if self.is_out(other) else -left[player]


def play(engine, game, movetime):
    """Plays a game. Each `position` has the whole game, so that one engine can
    be either player in turn. For a match start two engines, and ask the one of
    the player to move."""
    while not game.is_over():
        player = game.player()
        rack = game.rack(player)
        moves = " ".join(game.known_to(player) + [f"rack.{rack}"])
        engine.say(f"position startpos moves {moves}")
        engine.say(f"go movetime {movetime}")
        move = value(engine.answer("bestmove", movetime / 1000), "bestmove")
        # The engine is also the referee: it says whether the move is valid.
        engine.say(f"check {move}")
        checked = engine.answer("info check")
        if value(checked, "valid") != "yes":
            raise Failure(f"{move} is not valid: {' '.join(checked)}")
        score = int(value(checked, "score"))
        game.play(move, score)
        turn, total, bag = len(game.turns), game.scores[player], len(game.bag)
        made = f"{rack:7}  {move:<19} {score:>3}  {total:>4}"
        print(f"{turn:>2}  player {player + 1}  {made}  bag {bag}")


def finish(game):
    final = []
    for player in (0, 1):
        final.append(game.scores[player] + game.adjustment(player))
        left = game.rack(player) or "-"
        print(f"player {player + 1} is left with {left}: {game.adjustment(player):+}")
    print(f"final score {final[0]} {final[1]}")
    print("position startpos moves", *game.known_to(0, 1))


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
            engine.say("siu")
            engine.answer("siuok")
            for option in arguments.option:
                name, _, text = option.partition("=")
                engine.say(f"setoption name {name} value {text}")
            # Errors of the options come before this answer.
            engine.say("isready")
            engine.answer("readyok")
            engine.say("siunewgame")
            game = Game(arguments.seed)
            play(engine, game, arguments.movetime)
            finish(game)
            engine.quit()
    except Failure as error:
        sys.exit(f"client: {error}")


if __name__ == "__main__":
    main()
