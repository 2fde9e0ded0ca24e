// Figures and fixed words as text.

/** The minus sign, which is as wide as the digits. */
const MINUS = "\u2212";
/** A space that keeps a figure and its unit on one line. */
const NBSP = "\u00a0";
/** What stands where there is no figure. */
const NO_FIGURE = "\u2013";

/** A number with this many decimals. */
function decimal(value, digits = 1) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_FIGURE;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A number with its sign. */
function signed(value, digits = 1) {
  const text = decimal(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** The value of a figure; null if there is none. */
function valueOf(figure) {
  return figure ? figure.value : null;
}

/** The standard error of a figure as text: nothing if it is proved or not known. */
function errorText(figure, digits = 1) {
  return figure && figure.error ? ` \u00b1${NBSP}${decimal(figure.error, digits)}` : "";
}

/** A figure with its standard error. */
function figureText(figure, digits = 1) {
  return figure ? decimal(figure.value, digits) + errorText(figure, digits) : NO_FIGURE;
}

/** A figure with a smaller standard error behind it. */
function figureNodes(figure, digits = 1) {
  if (!figure) return [NO_FIGURE];
  const error = errorText(figure, digits);
  return [decimal(figure.value, digits), error ? html("small", { text: error }) : null];
}

/** A count with its noun: `1 turn`, `2 turns`. */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Tiles as one text. */
function tilesText(tiles) {
  return tiles.join(tiles.some((tile) => tile.length > 1) ? " " : "");
}

/** The words for the classes of mistakes. */
const CLASS_NAMES = { none: "no mistake", small: "small", medium: "medium", large: "large" };
/** The classes that are mistakes, in ascending order. */
const MISTAKE_CLASSES = ["small", "medium", "large"];
/** The words for the kinds of mistakes. */
const KIND_NAMES = {
  phony: "phony",
  "missed-challenge": "missed challenge",
  "missed-bonus": "missed bonus play",
  endgame: "endgame",
  score: "score",
  leave: "leave",
  opening: "opening the board",
};
/** The words for the phases of the game. */
const PHASE_NAMES = { open: "Before the pre-endgame", "pre-endgame": "Pre-endgame", endgame: "Endgame" };
/** Why a turn is not graded. */
const NOT_GRADED_NAMES = {
  "sampled-rack": "rack partly known",
  "unknown-rack": "rack unknown",
  "not-legal": "not legal",
  failed: "search failed",
};

/** The outlines of the marks of the classes, around the origin, with a radius of 1. */
const CLASS_MARKS = {
  small: "M-.8 0A.8 .8 0 1 0 .8 0A.8 .8 0 1 0 -.8 0z",
  medium: "M0 -1.05L1.05 0L0 1.05L-1.05 0z",
  large: "M0 -1.1L1.15 .9L-1.15 .9z",
};

/** The mark of a class at a place of a drawing. */
function classMark(name, x, y, radius) {
  return svg("path", {
    class: `mark-${name}`,
    d: CLASS_MARKS[name],
    transform: `translate(${x} ${y}) scale(${radius})`,
  });
}

/** The mark of a class as an icon. */
function classIcon(name) {
  return svg(
    "svg",
    { class: "icon mark", viewBox: "-1.4 -1.4 2.8 2.8", "aria-hidden": "true" },
    classMark(name, 0, 0, 1),
  );
}

/** Whether the best move of the search was played. */
function isBest(turn) {
  return turn.candidates?.[0]?.played ?? false;
}

/** The class of a turn as a coloured badge with its mark and its word. */
function classBadge(turn) {
  if (turn.notGraded) {
    return html("span", { class: "badge ungraded", text: NOT_GRADED_NAMES[turn.notGraded] ?? "not graded" });
  }
  const name = turn.class;
  const mark = name === "none" ? null : classIcon(name);
  return html("span", { class: `badge class-${name}` }, mark, html("span", { text: name === "none" && isBest(turn) ? "best" : CLASS_NAMES[name] }));
}

/** What a turn lost, in the unit that decides its class. */
function lossText(turn) {
  if (turn.notGraded && !turn.loss) return NO_FIGURE;
  if (turn.byPoints) return `${decimal(valueOf(turn.pointsLost))}${NBSP}pts`;
  return turn.loss ? `${decimal(turn.loss.value)}${NBSP}%` : NO_FIGURE;
}
