// The candidates of a turn as a table, and a drawing of their win probabilities with errors.

/** The size of the drawing of an interval, in its own units. */
const INTERVAL = { width: 90, height: 14, margin: 4 };

/** The least width of the scale in percentage points, and its part below the bounds. Chosen by hand. */
const INTERVAL_SCALE = { least: 4, below: 0.6 };

/**
 * The scale of the drawings: the errors of all candidates that stayed in the search, and some room
 * below for those that did not. Null if there is nothing to draw.
 */
function intervalRange(candidates) {
  const known = candidates.filter((move) => move.win && move.win.error);
  const kept = known.filter((move) => !move.dropped);
  if (known.length < 2 || !kept.length) return null;
  const bounds = kept.flatMap(({ win }) => [win.value - BAND_ERRORS * win.error, win.value + BAND_ERRORS * win.error]);
  const high = Math.min(100, Math.max(...bounds));
  const spread = Math.max(INTERVAL_SCALE.least, high - Math.min(...bounds));
  return [Math.max(0, high - spread * (1 + INTERVAL_SCALE.below)), high];
}

/** The win probability of a candidate as a point with its error, on the scale of the table. */
function intervalNode(move, range) {
  if (!range || !move.win || !move.win.error) return null;
  const { width, height, margin } = INTERVAL;
  const scale = (value) => margin + ((width - 2 * margin) * (clamp(value, ...range) - range[0])) / Math.max(1e-9, range[1] - range[0]);
  const reach = BAND_ERRORS * move.win.error;
  const [low, at, high] = [move.win.value - reach, move.win.value, move.win.value + reach].map(scale);
  const middle = height / 2;
  const isInside = move.win.value >= range[0];
  return svg(
    "svg",
    { class: `interval${move.dropped ? " dropped" : ""}${move.played ? " played" : ""}`, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("line", { x1: low, x2: high, y1: middle, y2: middle }),
    isInside ? svg("circle", { cx: at, cy: middle, r: 3.2 }) : null,
  );
}

/** What is worth knowing about a candidate, as short labels. */
function candidateTags(move) {
  const tags = [];
  if (move.played) tags.push(html("span", { class: "tag played", text: "played" }));
  if (move.bonus) tags.push(html("span", { class: "tag bonus", text: "bonus" }));
  if (!move.valid) tags.push(html("span", { class: "tag phony", text: "phony" }));
  return tags;
}

/** The label of a candidate: whether its figures are proved, and by how many worlds they were found. */
function certainty(move) {
  if (move.exact) return html("span", { class: "tag exact", text: "exact" });
  const worlds = move.iterations ? ` ${move.iterations}` : "";
  return html("span", { class: `tag estimate${move.dropped ? " dropped" : ""}`, text: `estimate${worlds}` });
}

/** The columns of the table. */
const CANDIDATE_COLUMNS = [
  { key: "move", name: "Move" },
  { key: "points", name: "Points", number: true },
  { key: "leave", name: "Leave" },
  { key: "equity", name: "Equity", number: true },
  { key: "gain", name: "Gain", number: true, settings: { title: "Expected change of the spread" } },
  { key: "win", name: "Win %", number: true },
  { key: "interval", name: "" },
  { key: "loss", name: "Loss", number: true },
  { key: "label", name: "Label", settings: { title: "Proved or estimated, and the number of worlds" } },
];

function candidateRow(move, at, picked, range, pick) {
  const choose = html(
    "button",
    { type: "button", class: "move", "aria-pressed": String(picked === at), on: { click: () => pick(picked === at ? null : at) } },
    html("span", { text: move.text }),
  );
  return {
    settings: {
      class: `candidate${move.dropped ? " dropped" : ""}${move.played ? " is-played" : ""}${picked === at ? " picked" : ""}`,
      "data-candidate": at,
    },
    cells: {
      move: [choose, ...candidateTags(move)],
      points: String(move.points),
      leave: move.leave.length ? tilesText(move.leave) : NO_FIGURE,
      equity: decimal(move.equity),
      gain: figureNodes(move.gain),
      win: figureNodes(move.win),
      interval: intervalNode(move, range),
      loss: move.loss ? decimal(move.loss.value) : NO_FIGURE,
      label: certainty(move),
    },
  };
}

/**
 * The table of candidates. Those that dropped out of the search early stand apart at the end.
 * @param {Array} candidates
 * @param {number|null} picked
 * @param {(at: number|null) => void} pick
 */
function candidateTable(candidates, picked, pick) {
  const range = intervalRange(candidates);
  const rows = candidates.map((move, at) => candidateRow(move, at, picked, range, pick));
  const first = candidates.findIndex((move) => move.dropped);
  if (first > 0) rows.splice(first, 0, { group: "Dropped out early: fewer worlds, so these figures are less certain" });
  return table({ caption: "Candidates, the highest win probability first", class: "candidates", columns: CANDIDATE_COLUMNS }, rows);
}
