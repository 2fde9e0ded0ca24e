// Command lines to copy.

/** A text as one word of a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The time that the command for a typed move searches, in milliseconds. Chosen by hand. */
const TYPED_MOVE_TIME = 5000;

/** What the command of a turn has before the moves that it asks about: in the protocol, in JSON. */
const MOVES_OF_COMMAND = ["go alsosearchmoves ", '"alsosearchmoves":['];

/**
 * The command line that analyses moves in the position of a turn: that of the turn, which has the
 * options of the review too, with these moves in it.
 */
function comparisonCommand(turn, codes) {
  const moves = [...new Set(codes)].map((code) => code.replaceAll("'", ""));
  const [words, json] = MOVES_OF_COMMAND;
  if (turn.command.includes(words)) {
    return turn.command.replace(words, () => `${words}${moves.join(" ")} `);
  }
  if (turn.command.includes(json)) {
    return turn.command.replace(json, () => `${json}${moves.map((move) => JSON.stringify(move)).join(",")},`).replace(",]", "]");
  }
  const lines = [`position cgp ${turn.cgp}`, `go movetime ${TYPED_MOVE_TIME} ${words.slice(3)}${moves.join(" ")}`];
  return `printf '%s\\n' ${lines.map(quoted).join(" ")} | cazique`;
}
