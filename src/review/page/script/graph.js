// The course of the game: win probability or spread after each turn, from the side of a player.

/** How many standard errors the error band reaches to either side: about 95 % of all cases. */
const BAND_ERRORS = 2;

/** A point with its error band. */
function banded(x, value, error, low, high) {
  const reach = BAND_ERRORS * (error ?? 0);
  return { x, y: value, low: clamp(value - reach, low, high), high: clamp(value + reach, low, high) };
}

/** A figure of the player of a turn, from the side of this player. Two players only. */
function fromSide(figure, turn, side, whole) {
  return turn.seat === side ? figure.value : whole - figure.value;
}

/**
 * The win probability of a seat after each turn that has one. With two players each turn counts,
 * with more only the own ones.
 */
function winPoints(review, seat) {
  const two = review.players.length === 2;
  const points = [];
  for (const [index, turn] of review.turns.entries()) {
    if (!turn.win || (!two && turn.seat !== seat)) continue;
    if (index === 0 && turn.winBest) {
      points.push(banded(0, fromSide(turn.winBest, turn, seat, 100), turn.winBest.error, 0, 100));
    }
    points.push({ ...banded(index + 1, fromSide(turn.win, turn, seat, 100), turn.win.error, 0, 100), index });
  }
  return points;
}

/** The spread of a seat after each turn. */
function scorePoints(review, seat) {
  const start = { x: 0, y: 0 };
  return [start, ...review.turns.map((turn, index) => ({ x: index + 1, y: spreadOf(turn.scores, seat), index }))];
}

/** The final spread that the engine expects after each turn. */
function expectedPoints(review, seat) {
  const two = review.players.length === 2;
  const points = [];
  for (const [index, turn] of review.turns.entries()) {
    if (!turn.spread || (!two && turn.seat !== seat)) continue;
    const value = fromSide(turn.spread, turn, seat, 0);
    points.push({ ...banded(index + 1, value, turn.spread.error, -Infinity, Infinity), index });
  }
  return points;
}

/** The marks of the mistakes on a line, with the value that the best move would have had. */
function mistakeMarks(review, points, seat, withBest) {
  const two = review.players.length === 2;
  return points.flatMap((point) => {
    const turn = review.turns[point.index];
    if (!turn || turn.notGraded || turn.class === "none" || (!two && turn.seat !== seat)) return [];
    const best = withBest && turn.winBest ? fromSide(turn.winBest, turn, seat, 100) : undefined;
    return [{ x: point.x, y: point.y, class: turn.class, from: best }];
  });
}

/** Round values between two bounds, at most about five. */
function niceTicks(low, high) {
  const step = [5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000].find((step) => (high - low) / step <= 5) ?? 5000;
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

/** The chart of one view: `win` or `spread`. */
function gameChart(review, view, side) {
  const seats = review.players.length === 2 ? [side] : review.players.map((player) => player.seat);
  const isWin = view === "win";
  const main = seats.map((seat) => (isWin ? winPoints(review, seat) : scorePoints(review, seat)));
  const lines = seats.map((seat, at) => ({ class: `seat-${seat}`, points: main[at], steps: !isWin }));
  const expected = isWin ? [] : seats.map((seat) => ({ class: `seat-${seat} expected`, points: expectedPoints(review, seat) }));
  const values = [...lines, ...expected].flatMap((line) => line.points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]));
  const reach = Math.max(25, ...values.map(Math.abs)) * 1.05;
  const yRange = isWin ? [0, 100] : [-reach, reach];
  const other = review.players.find((player) => player.seat !== side)?.seat ?? side;
  return {
    lines: [...lines, ...expected],
    marks: seats.flatMap((seat, at) => mistakeMarks(review, main[at], seat, isWin)),
    xRange: [0, Math.max(1, review.turns.length)],
    yRange,
    yTicks: isWin ? [0, 25, 50, 75, 100] : niceTicks(...yRange),
    yText: (value) => (isWin ? `${value} %` : signed(value, 0)),
    base: isWin ? 50 : 0,
    areas: seats.length === 1 ? [`seat-${side}`, `seat-${other}`] : undefined,
    xLabel: "Turn",
    yLabel: isWin ? "Win probability" : "Points",
  };
}

/** The chart in words. */
function chartInWords(review, view, side) {
  const name = playerOf(review, side).name;
  const points = view === "win" ? winPoints(review, side) : scorePoints(review, side);
  const unit = view === "win" ? " %" : " points";
  const texts = points.filter((point) => point.index !== undefined).map((point) => `turn ${review.turns[point.index].number}: ${decimal(point.y, 0)}${unit}`);
  const what = view === "win" ? `Win probability of ${name}` : `Spread of ${name}`;
  return `${what} after each turn. ${texts.join(", ")}. The list of turns has the same figures.`;
}

/** A group of buttons of which one is pressed. */
function choice(label, options, current, choose) {
  const buttons = options.map(([value, text, seat]) =>
    html("button", {
      type: "button",
      class: seat ? `seat-${seat}` : null,
      "aria-pressed": String(value === current),
      text,
      on: { click: () => choose(value) },
    }),
  );
  return html("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
}

/** The legend of a chart: what lines, band and marks mean. */
function chartLegend(review, view) {
  const items = MISTAKE_CLASSES.map((name) => html("li", {}, classIcon(name), `${name} mistake`));
  const band = html("li", {}, html("span", { class: "sample band" }), `\u00b1 ${BAND_ERRORS} standard errors`);
  const expected = html("li", {}, html("span", { class: "sample expected" }), "expected final spread");
  const drop = html("li", {}, html("span", { class: "sample drop" }), "from the best move");
  const isTwo = review.players.length === 2;
  const lines = isTwo ? [] : review.players.map((player) => html("li", {}, html("span", { class: `sample line-of seat-${player.seat}` }), player.name));
  const more = view === "win" ? [drop, band] : [expected, band];
  return html("ul", { class: "legend" }, ...items, ...more, ...lines);
}

/**
 * Fills the place with the graph.
 * @param {{view: string, side: number, index: number}} state
 * @param {{go: (index: number) => void, setView: (view: string) => void, setSide: (seat: number) => void}} actions
 */
function renderGraph(place, review, state, actions) {
  const isTwo = review.players.length === 2;
  const name = playerOf(review, state.side).name;
  const title = state.view === "win" ? "Win probability" : "Spread";
  const chart = html("div", { class: "plot" });
  const sides = review.players.map((player) => [player.seat, player.name, player.seat]);
  place.replaceChildren(
    html(
      "header",
      { class: "bar" },
      html("h2", { text: isTwo ? `${title} of ${name}` : title }),
      choice("View", [["win", "Win probability"], ["spread", "Spread"]], state.view, actions.setView),
      isTwo ? choice("Side", sides, state.side, actions.setSide) : null,
    ),
    chart,
    chartLegend(review, state.view),
  );
  renderChart(chart, {
    ...gameChart(review, state.view, state.side),
    label: chartInWords(review, state.view, state.side),
    cursor: state.index + 1,
    pick: (x) => actions.go(clamp(Math.round(x) - 1, 0, review.turns.length - 1)),
  });
}
