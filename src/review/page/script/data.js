// The data of the page. The page leaves out what is empty, and writes changes of squares as lists;
// this file restores both, and derives what several parts of the page need.

/** The fields that may be left out, with the value that this means. */
const TURN_DEFAULTS = {
  rack: [], unknown: 0, points: 0, changes: [], cameOff: false, phonies: [], scores: [], bag: 0, unseen: [],
  notGraded: null, best: null, winBest: null, win: null, spread: null, loss: null, pointsLost: null,
  exact: false, byPoints: false, blown: false, class: "none", index: 0, kind: null, missedBonus: null,
  bonus: false, missedChallenge: [], candidates: [], explanation: "", luck: null, luckWin: null,
  drawn: [], notes: [], played: "", code: "", cgp: "", command: "", phase: "open",
};
/** The same for a candidate. */
const MOVE_DEFAULTS = {
  text: "", code: "", points: 0, leave: [], equity: 0, leaveValue: 0, win: null, gain: null, loss: null,
  iterations: 0, exact: false, dropped: false, played: false, valid: false, bonus: false, changes: [],
  replies: [], plies: [], line: [], draws: null,
};
/** The same for a reply. */
const REPLY_DEFAULTS = { text: "", percent: 0, points: 0, changes: [] };
/** The same for the draws of a pre-endgame. */
const DRAWS_DEFAULTS = { won: [], drawn: [], lost: [], mixed: [], open: 0 };
/** The same for a player. */
const PLAYER_DEFAULTS = {
  name: "", nick: "", score: 0, won: null, mistakeIndex: 0, level: null, graded: 0, notGraded: 0,
  meanLoss: null, pointsLost: { value: 0, error: null }, bestShare: null, bonusFound: 0, bonusAvailable: 0,
  mistakes: [0, 0, 0], phases: [], luck: null, luckWin: null,
};
/** The same for the whole review. */
const REVIEW_DEFAULTS = {
  title: "", date: "", description: "", findings: [], players: [], turns: [], turningPoints: [],
  result: "", unfinished: false, balance: null, provenance: {}, settings: {},
};

/** @typedef {{square: number, face: string|null, value: number, blank: boolean}} SquareTile */

/** The data block of the page. */
function pageData() {
  return JSON.parse(byId("data").textContent);
}

/** A figure, which may be without its value when that is 0. */
function restoreFigure(figure) {
  return figure ? { value: figure.value ?? 0, error: figure.error ?? null } : null;
}

/** @returns {SquareTile[]} */
function restoreChanges(changes) {
  return (changes ?? []).map(([square, face, value, blank]) => ({
    square,
    face: face || null,
    value: value ?? 0,
    blank: Boolean(blank),
  }));
}

function restoreReply(reply) {
  return { ...REPLY_DEFAULTS, ...reply, changes: restoreChanges(reply.changes) };
}

function restoreMove(move) {
  return {
    ...MOVE_DEFAULTS,
    ...move,
    win: restoreFigure(move.win),
    gain: restoreFigure(move.gain),
    loss: restoreFigure(move.loss),
    changes: restoreChanges(move.changes),
    replies: (move.replies ?? []).map(restoreReply),
    draws: move.draws ? { ...DRAWS_DEFAULTS, ...move.draws } : null,
  };
}

function restoreTurn(turn) {
  const figures = ["winBest", "win", "spread", "loss", "pointsLost", "luck", "luckWin"];
  const restored = { ...TURN_DEFAULTS, ...turn };
  for (const name of figures) restored[name] = restoreFigure(turn[name]);
  restored.changes = restoreChanges(turn.changes);
  restored.candidates = (turn.candidates ?? []).map(restoreMove);
  return restored;
}

function restorePlayer(player) {
  const figures = ["meanLoss", "pointsLost", "luck", "luckWin"];
  const restored = { ...PLAYER_DEFAULTS, ...player };
  for (const name of figures) restored[name] = restoreFigure(player[name]) ?? PLAYER_DEFAULTS[name];
  return restored;
}

/** Restores a review from the form in which the page holds it. */
function restoreReview(packed) {
  const board = { premiums: [], letters: [], start: null, ...packed.board };
  return {
    ...REVIEW_DEFAULTS,
    ...packed,
    board: { ...board, tiles: restoreChanges(board.tiles) },
    players: (packed.players ?? []).map(restorePlayer),
    turns: (packed.turns ?? []).map(restoreTurn),
  };
}

/** The tiles after some changes, as a new map from square to tile. */
function changed(tiles, changes) {
  const after = new Map(tiles);
  for (const tile of changes) {
    if (tile.face === null) after.delete(tile.square);
    else after.set(tile.square, tile);
  }
  return after;
}

/**
 * The boards of a game: `boards[i]` is that before the turn with index i, and the last one that
 * after the game. A play that came off leaves no tiles.
 */
function boardsOf(review) {
  const boards = [changed(new Map(), review.board.tiles)];
  for (const turn of review.turns) {
    const before = boards[boards.length - 1];
    boards.push(turn.cameOff ? before : changed(before, turn.changes));
  }
  return boards;
}

/** The player of a seat. */
function playerOf(review, seat) {
  return review.players.find((player) => player.seat === seat) ?? { ...PLAYER_DEFAULTS, seat, name: `Seat ${seat}` };
}

/** The scores before a turn, by seat. */
function scoresBefore(review, index) {
  return index > 0 ? review.turns[index - 1].scores : review.players.map(() => 0);
}

/** The own score less that of the best opponent. */
function spreadOf(scores, seat) {
  const others = scores.filter((_, at) => at + 1 !== seat);
  return (scores[seat - 1] ?? 0) - (others.length ? Math.max(...others) : 0);
}

/** The index of the candidate that was played; -1 if there is none. */
function playedIndex(turn) {
  return turn.candidates.findIndex((move) => move.played);
}

/** Whether a turn can be practised: it was a mistake, and a better candidate is known. */
function canBePractised(turn) {
  const played = playedIndex(turn);
  const isMistake = turn.class !== "none" && !turn.notGraded;
  return isMistake && turn.candidates.length > 1 && played !== 0;
}
