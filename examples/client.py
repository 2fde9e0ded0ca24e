#!/usr/bin/env python3
"""A whole game through the pipe: one engine plays both sides.

For authors of clients, to copy from. The client is the referee's clerk: it
keeps the bag, the racks, the board and the scores. The engine hears what the
player on turn may know, chooses the move, and says what a move scores.
protocol.md explains every line that is sent here. The rules are those of
tournaments, which the engine has by default; options that change the rules
would need another clerk.

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

# How many there are of each tile and what it is worth, "?" is the blank:
# lexica/tiles/english.csv of the repository.
TILES = {
    "?": (2, 0), "A": (9, 1), "B": (2, 3), "C": (2, 3), "D": (4, 2), "E": (12, 1),
    "F": (2, 4), "G": (3, 2), "H": (2, 4), "I": (9, 1), "J": (1, 8), "K": (1, 5),
    "L": (4, 1), "M": (2, 3), "N": (6, 1), "O": (8, 1), "P": (2, 3), "Q": (1, 10),
    "R": (6, 1), "S": (4, 1), "T": (6, 1), "U": (4, 1), "V": (2, 4), "W": (2, 4),
    "X": (1, 8), "Y": (2, 4), "Z": (1, 10),
}
RACK_SIZE = 7
# So many turns without points in a row end the game.
ZERO_TURNS = 6
# Seconds that any answer may take, besides the time to think: enough to load
# words on a slow machine.
PATIENCE = 30


class Failure(Exception):
    """The engine refuses, falls silent or is gone: the game cannot go on."""


class Engine:
    """An engine process and the lines that go to and fro."""

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
        # A thread reads, because reading from a pipe knows no time limit.
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)  # The engine says no more.

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failure(f"the engine does not listen: {error}") from error

    def answer(self, start, thinking=0.0):
        """The words of the next line that starts with these words.

        Other lines are skipped: they are for people, or for clients that want
        to show more than we do, and there may be new kinds. An error is the
        end, since this client asks for nothing that should be refused.
        """
        limit = time.monotonic() + PATIENCE + thinking
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, limit - time.monotonic()))
            except queue.Empty:
                raise Failure(f"the engine gives no answer '{start}'") from None
            if line is None:
                raise Failure(f"the engine ended before its answer '{start}'")
            if line.startswith("info string error "):
                raise Failure("the engine refuses: " + " ".join(line.split()[3:]))
            words = line.split()
            if words[: len(start.split())] == start.split():
                return words

    def quit(self):
        self.say("quit")
        try:
            code = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure("the engine does not quit") from None
        if code != 0:
            raise Failure(f"the engine ended with code {code}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # No process stays behind, whatever went wrong; after `quit` there is none.
        self.process.kill()
        self.process.wait()


def value(words, key):
    """What follows a key in an answer. The order of keys is not relied on."""
    try:
        return words[words.index(key) + 1]
    except (ValueError, IndexError):
        raise Failure(f"'{' '.join(words)}' has no {key}") from None


class Game:
    """All that the clerk knows: two players, 0 and 1, and 0 begins."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.bag = [tile for tile, (count, _) in TILES.items() for _ in range(count)]
        self.racks = [self.draw(RACK_SIZE), self.draw(RACK_SIZE)]
        self.scores = [0, 0]
        self.board = {}  # (row, column) to letter, lower case for blanks
        self.turns = []  # (player, rack before, move)
        self.zero_turns = 0

    def player(self):
        return len(self.turns) % 2

    def rack(self, player):
        return "".join(sorted(self.racks[player]))

    def draw(self, count):
        count = min(count, len(self.bag))
        return [self.bag.pop(self.chance.randrange(len(self.bag))) for _ in range(count)]

    def known_to(self, *players):
        """The moves so far, as these players know them.

        They know what they held themselves, but not what was on the rack or
        went into the bag elsewhere: an engine that is told may use it.
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
        self.zero_turns = 0 if score else self.zero_turns + 1
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
        """A move names the whole word: tiles come from the rack where the board is empty."""
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
        return self.is_out(0) or self.is_out(1) or self.zero_turns == ZERO_TURNS

    def adjustment(self, player):
        """What the tiles left over change for a player when the game is over."""
        left = [sum(TILES[tile][1] for tile in rack) for rack in self.racks]
        other = 1 - player
        if self.is_out(player):
            return 2 * left[other]
        return 0 if self.is_out(other) else -left[player]


def play(engine, game, movetime):
    """Each `position` tells the whole game, so that one engine can be either
    player in turn. For a match start two, and ask the one on turn."""
    while not game.is_over():
        player = game.player()
        rack = game.rack(player)
        moves = " ".join(game.known_to(player) + [f"rack.{rack}"])
        engine.say(f"position startpos moves {moves}")
        engine.say(f"go movetime {movetime}")
        move = value(engine.answer("bestmove", movetime / 1000), "bestmove")
        # The referee speaks before the move is made.
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
    parser = argparse.ArgumentParser(description="Plays a game, an engine against itself.")
    parser.add_argument("engine", nargs="?", default=str(built), help="the program (%(default)s)")
    parser.add_argument("--movetime", type=int, default=100, help="ms for a move (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="chooses the tiles (%(default)s)")
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
