// Command lines to copy.

/** A text as one word of a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The time that the command for a typed move searches, in milliseconds. Chosen by hand. */
const TYPED_MOVE_TIME = 5000;

/** The command line that compares moves in the position of a turn. */
function comparisonCommand(turn, codes) {
  const moves = [...new Set(codes)].join(" ");
  const lines = [`position cgp ${turn.cgp}`, `go movetime ${TYPED_MOVE_TIME} alsosearchmoves ${moves}`];
  return `printf '%s\\n' ${lines.map(quoted).join(" ")} | cazique`;
}
