// Draws a board from plain values. It knows nothing of turns or reviews.

/** The letters of the columns. */
const COLUMN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The words for premium squares. */
const PREMIUM_NAMES = {
  "2L": "double letter", "3L": "triple letter", "4L": "quadruple letter",
  "2W": "double word", "3W": "triple word", "4W": "quadruple word",
};

/** The coordinate of a square, such as `H8`. */
function squareName(square, side) {
  return `${COLUMN_LETTERS[square % side]}${Math.floor(square / side) + 1}`;
}

/** A tile, with its value for eyes alone. */
function tileNode(tile, classes = "") {
  const wide = tile.face.length > 1 ? " wide" : "";
  const blank = tile.blank ? " blank" : "";
  const face = tile.face === "?" ? "" : tile.face;
  return html(
    "span",
    { class: `tile${wide}${blank} ${classes}` },
    html("span", { class: "face", text: face }),
    tile.blank ? null : html("span", { class: "value", text: tile.value }),
  );
}

/**
 * What a board shows.
 * @typedef {Object} BoardView
 * @property {number} side
 * @property {string[]} premiums
 * @property {number|null} start
 * @property {Map<number, SquareTile>} tiles
 * @property {Array<{tiles: SquareTile[], class: string}>} layers tiles on top, such as a ghost
 * @property {Set<number>} marked the squares of the last move
 * @property {string} owner the class of the player who made the last move
 * @property {string} label what the board shows, in words
 */

/**
 * Draws a board.
 * @param {Element} place
 * @param {BoardView} view
 */
function renderBoard(place, view) {
  const { side } = view;
  const grid = html("div", { class: "grid", "aria-hidden": "true" });
  grid.style.setProperty("--side", side);
  grid.append(html("span", { class: "corner" }));
  for (let column = 0; column < side; column += 1) {
    grid.append(html("span", { class: "coordinate", text: COLUMN_LETTERS[column] }));
  }
  for (let square = 0; square < side * side; square += 1) {
    if (square % side === 0) {
      grid.append(html("span", { class: "coordinate", text: square / side + 1 }));
    }
    grid.append(squareNode(view, square));
  }
  place.replaceChildren(
    html("div", { class: `board side-${side > 17 ? "large" : "usual"}` }, grid),
    boardInWords(view),
  );
}

function squareNode(view, square) {
  const premium = view.premiums[square] ?? "";
  const isStart = view.start === square;
  const node = html("span", {
    class: `square${premium ? ` p-${premium}` : ""}${isStart ? " start" : ""}`,
    "data-square": square,
  });
  const over = view.layers.find((layer) => layer.tiles.some((tile) => tile.square === square));
  const tile = over ? over.tiles.find((tile) => tile.square === square) : view.tiles.get(square);
  if (tile && tile.face) {
    const mark = view.marked.has(square) ? `last ${view.owner}` : "";
    node.append(tileNode(tile, over ? over.class : mark));
  } else if (premium) {
    node.append(html("span", { class: "premium", text: premium, title: PREMIUM_NAMES[premium] }));
  } else if (isStart) {
    node.append(svg("svg", { class: "icon", viewBox: "-1.4 -1.4 2.8 2.8" }, svg("path", { d: CLASS_MARKS.medium })));
  }
  return node;
}

/** The board for those who do not see it: what it shows, and the tiles of each row. */
function boardInWords(view) {
  const tiles = new Map(view.tiles);
  for (const layer of view.layers) for (const tile of layer.tiles) tiles.set(tile.square, tile);
  const rows = [];
  for (let row = 0; row < view.side; row += 1) {
    const text = rowInWords(tiles, row, view.side);
    if (text) rows.push(html("li", { text: `Row ${row + 1}: ${text}.` }));
  }
  return html(
    "div",
    { class: "unseen-by-eye", role: "group", "aria-label": "Board" },
    html("p", { text: view.label }),
    rows.length ? html("ul", {}, ...rows) : html("p", { text: "The board is empty." }),
  );
}

/** The runs of tiles in a row, such as `B VILL, J Q`. Blanks are written in lower case. */
function rowInWords(tiles, row, side) {
  const runs = [];
  let run = null;
  for (let column = 0; column < side; column += 1) {
    const tile = tiles.get(row * side + column);
    if (!tile || !tile.face) {
      run = null;
      continue;
    }
    if (!run) {
      run = { start: COLUMN_LETTERS[column], faces: "" };
      runs.push(run);
    }
    run.faces += tile.blank ? tile.face.toLowerCase() : tile.face;
  }
  return runs.map((run) => `${run.start} ${run.faces}`).join(", ");
}

/**
 * Draws a rack. Tiles that the move uses are marked.
 * @param {Element} place
 * @param {{rack: string[], unknown: number, used: string[], values: Map<string, number>, owner: string, label: string}} view
 */
function renderRack(place, view) {
  const used = [...view.used];
  const nodes = view.rack.map((face) => {
    const at = used.indexOf(face);
    if (at >= 0) used.splice(at, 1);
    const tile = { face, value: view.values.get(face) ?? 0, blank: face === "?" };
    return tileNode(tile, at >= 0 ? `used ${view.owner}` : "");
  });
  for (let at = 0; at < view.unknown; at += 1) nodes.push(html("span", { class: "tile unknown" }));
  place.replaceChildren(
    html("div", { class: "rack", "aria-hidden": "true" }, ...nodes),
    html("p", { class: "unseen-by-eye", text: view.label }),
  );
}
