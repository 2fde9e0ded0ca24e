// Moves that a person types. The page does not know the lexicon: it places the tiles, checks them
// against board and rack, and compares them with the candidates.

/**
 * A typed move.
 * @typedef {Object} TypedMove
 * @property {"play"|"exchange"|"pass"} kind
 * @property {SquareTile[]} tiles the tiles of a play
 * @property {string} code the move as commands of the engine write it
 */

/** The squares of the board and the letters that moves are read against. */
class MoveReader {
  /**
   * @param {{side: number, letters: Array<{letter: string, face: string, value: number}>}} board
   * @param {Map<number, SquareTile>} tiles the board before the move
   */
  constructor(board, tiles) {
    this.side = board.side;
    this.tiles = tiles;
    this.letters = board.letters.filter((letter) => letter.letter !== "?");
  }

  /**
   * Reads a move such as `8D FLYING`, `D8 (F)LYING`, `exchange QV` or `pass`.
   * @returns {TypedMove | {error: string}}
   */
  read(typed) {
    const text = typed.trim();
    if (/^(pass|-)$/i.test(text)) return { kind: "pass", tiles: [], code: "pass" };
    const exchange = /^(?:exchange|exch|ex|-)[\s.]*(\S+)$/i.exec(text);
    if (exchange) return this.readExchange(exchange[1]);
    const play = /^(?:(\d{1,2})([a-z])|([a-z])(\d{1,2}))[\s.]+(\S+)$/i.exec(text);
    if (!play) return { error: "Write a move as 8D WORD across, D8 WORD down, exchange TILES, or pass." };
    const row = Number(play[1] ?? play[4]) - 1;
    const column = COLUMN_LETTERS.indexOf((play[2] ?? play[3]).toUpperCase());
    const across = play[1] !== undefined;
    if (row < 0 || row >= this.side || column < 0 || column >= this.side) {
      return { error: "This square is not on the board." };
    }
    // A digraph tile may be typed as its letters: the longest faces first, then single letters.
    const readings = [this.split(play[5], true), this.split(play[5], false)].filter(Boolean);
    let problem = "This word has a letter that no tile has.";
    for (const reading of readings) {
      const found = this.place(reading, row, column, across);
      if (!found.error) return found;
      problem = found.error;
    }
    return { error: problem };
  }

  readExchange(text) {
    const found = this.split(text, true, "?");
    if (!found) return { error: "These are not tiles." };
    const notation = found.map((letter) => letter.notation);
    return { kind: "exchange", tiles: [], letters: found.map((letter) => letter.face), code: `ex.${notation.join("")}` };
  }

  /** Splits a word into letters; null if there is one that no tile has. */
  split(text, longest, blank = null) {
    const found = [];
    let rest = text.replace(/[()]/g, "");
    while (rest) {
      const letter = this.letterAt(rest, longest, blank);
      if (!letter) return null;
      found.push(letter);
      rest = rest.slice(letter.length);
    }
    return found;
  }

  /** The letter that a text begins with. */
  letterAt(text, longest, blank) {
    if (text[0] === ".") return { through: true, length: 1 };
    if (blank && text[0] === blank) return { face: blank, notation: blank, length: 1, lower: false };
    let best = null;
    for (const { letter, face, value } of this.letters) {
      for (const form of [letter, face]) {
        const begins = text.slice(0, form.length).toUpperCase() === form.toUpperCase();
        const better = !best || (longest ? form.length > best.length : form.length < best.length);
        if (!begins || !better || form === "") continue;
        const typed = text.slice(0, form.length);
        const lower = typed !== typed.toUpperCase() && typed === typed.toLowerCase();
        best = { face, value, notation: letter, length: form.length, lower };
      }
    }
    return best;
  }

  /** Places letters along a row or a column, over the tiles that lie there. */
  place(letters, row, column, across) {
    const tiles = [];
    const code = [];
    for (const [at, letter] of letters.entries()) {
      const [y, x] = across ? [row, column + at] : [row + at, column];
      if (y >= this.side || x >= this.side) return { error: "The word does not fit on the board." };
      const there = this.tiles.get(y * this.side + x);
      if (letter.through && !there) return { error: "A dot stands for a tile that is on the board." };
      if (there) {
        if (!letter.through && there.face.toUpperCase() !== letter.face.toUpperCase()) {
          return { error: `There is another tile on ${squareName(y * this.side + x, this.side)}.` };
        }
        code.push(there.blank ? this.notation(there.face).toLowerCase() : this.notation(there.face));
      } else {
        code.push(letter.lower ? letter.notation.toLowerCase() : letter.notation);
        const value = letter.lower ? 0 : letter.value;
        tiles.push({ square: y * this.side + x, face: letter.face, value, blank: letter.lower });
      }
    }
    if (!tiles.length) return { error: "This places no tile." };
    const square = across ? `${row + 1}${COLUMN_LETTERS[column]}` : `${COLUMN_LETTERS[column]}${row + 1}`;
    return { kind: "play", tiles, code: `${square}.${code.join("")}` };
  }

  /** The notation of a face. */
  notation(face) {
    return this.letters.find((letter) => letter.face === face)?.notation
      ?? this.letters.find((letter) => letter.face.toUpperCase() === face.toUpperCase())?.letter
      ?? face;
  }
}

/** A text for each set of placed tiles; with `strict`, blanks differ from other tiles. */
function placementKey(tiles, strict) {
  return tiles
    .map((tile) => `${tile.square}${tile.face.toUpperCase()}${strict && tile.blank ? "?" : ""}`)
    .sort()
    .join(" ");
}

/** The letters of an exchange in its code, sorted. */
function exchangeKey(code) {
  return [...code.replace(/^ex\./i, "").toUpperCase()].sort().join("");
}

/**
 * The index of the candidate that is this typed move; -1 if it is none of them. Who types a word in
 * lower case throughout means no blanks, so blanks decide only between several candidates.
 */
function findCandidate(candidates, typed) {
  if (typed.kind === "pass") return candidates.findIndex((move) => move.code === "pass");
  if (typed.kind === "exchange") {
    const key = exchangeKey(typed.code);
    return candidates.findIndex((move) => /^ex\./i.test(move.code) && exchangeKey(move.code) === key);
  }
  for (const strict of [true, false]) {
    const key = placementKey(typed.tiles, strict);
    const same = (move) => move.changes.length > 0 && placementKey(move.changes.filter((tile) => tile.face), strict) === key;
    const found = candidates.findIndex(same);
    if (found >= 0) return found;
  }
  return -1;
}

/**
 * The tiles of a play with blanks where the rack needs them, or null if the rack cannot make it.
 * Tiles on the rack that are not known may be any.
 */
function tilesFromRack(typed, rack, unknown) {
  const left = rack.map((face) => face.toUpperCase());
  let free = unknown;
  const take = (face) => {
    const at = left.indexOf(face.toUpperCase());
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  if (typed.kind === "exchange") {
    const fits = typed.letters.every((face) => take(face) || (free -= 1) >= 0);
    return fits ? [] : null;
  }
  const allLower = typed.tiles.every((tile) => tile.blank);
  const tiles = [];
  for (const tile of typed.tiles) {
    const wantsBlank = tile.blank && !(allLower && left.includes(tile.face.toUpperCase()));
    if (!wantsBlank && take(tile.face)) tiles.push({ ...tile, blank: false });
    else if (take("?")) tiles.push({ ...tile, blank: true, value: 0 });
    else if ((free -= 1) >= 0) tiles.push(tile);
    else return null;
  }
  return tiles;
}
