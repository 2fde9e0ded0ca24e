// The index of many games: totals, trend, games, mistakes by kind, records without a review.

/** The address of a page of a game, relative to the index; null if there is none. */
function pageAddress(game, turn) {
  if (!game || !game.page) return null;
  const path = game.page.split("/").map(encodeURIComponent).join("/");
  return `./${path}${turn ? `#turn=${turn}` : ""}`;
}

/** A link to a game, or its text alone if there is no page. */
function gameLink(game, turn, text) {
  const address = pageAddress(game, turn);
  return address ? html("a", { href: address, text }) : html("span", { text });
}

/** How a game ended for a player. */
function outcomeText(row) {
  if (row.won === null || row.won === undefined) return "unfinished";
  if (row.score === row.opponentScore && row.won) return "shared";
  return row.won ? "won" : "lost";
}

/** The card with the totals of a player. */
function totalCard(total, seat) {
  const bonus = total.bonus ?? [0, 0];
  return html(
    "article",
    { class: `card player seat-${seat}`, "aria-label": total.name },
    html("header", {}, html("h2", {}, html("span", { class: "name", text: total.name })), html("p", { class: "score", text: `${decimal(total.won, Number.isInteger(total.won) ? 0 : 1)} of ${total.games}` }, html("small", { text: " won" }))),
    html(
      "dl",
      {},
      fact("Mistake index", decimal(total.mistakeIndex, 2), total.level ? `level ${total.level}` : "a game"),
      fact("Mean loss", `${decimal(total.meanLoss, 2)} %`),
      fact("Best moves", `${decimal(total.bestShare, 0)} %`),
      fact("Bonus plays", `${bonus[0]} of ${bonus[1]}`),
      fact("Mean score", decimal(total.meanScore, 0)),
      fact("Mean spread", signed(total.meanSpread, 0)),
      total.luck === undefined ? null : fact("Luck a game", `${signed(total.luck)} pts`),
    ),
  );
}

/** The number of games that the mean of the trend goes over. Chosen by hand. */
const TREND_GAMES = 5;

/** The trend of one player: each game, and the mean of the last games. */
function trendLine(index, name, seat) {
  const rows = index.games.flatMap((game, at) =>
    game.rows.filter((row) => row.name === name && row.graded).map((row) => ({ x: at + 1, y: row.mistakeIndex })),
  );
  const means = rows.map(({ x }, at) => {
    const last = rows.slice(Math.max(0, at + 1 - TREND_GAMES), at + 1);
    return { x, y: last.reduce((sum, row) => sum + row.y, 0) / last.length };
  });
  return { name, seat, rows, means };
}

/** Fills the place with the mistake index over time. */
function renderTrend(place, index) {
  const trends = index.totals.slice(0, 4).map((total, at) => trendLine(index, total.name, at + 1)).filter((trend) => trend.rows.length);
  if (index.games.length < 2 || !trends.length) {
    place.hidden = true;
    return;
  }
  const chart = html("div", { class: "plot" });
  const names = trends.map((trend) => html("li", {}, html("span", { class: `name seat-${trend.seat}`, text: trend.name })));
  place.replaceChildren(
    html("h2", { text: "Mistake index over time" }),
    chart,
    html("ul", { class: "legend" }, ...names, html("li", { text: `thick: mean of the last ${TREND_GAMES} games` }), html("li", { text: "thin: each game" })),
  );
  const most = Math.max(1, ...trends.flatMap((trend) => trend.rows.map((row) => row.y)));
  const step = [0.25, 0.5, 1, 2, 5, 10].find((step) => most / step <= 5) ?? 20;
  const top = Math.ceil(most / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, at) => at * step);
  const draw = () =>
    renderChart(chart, {
      lines: trends.flatMap((trend) => [
        { class: `thin seat-${trend.seat}`, points: trend.rows },
        { class: `seat-${trend.seat}`, points: trend.means },
      ]),
      marks: [],
      xRange: [1, index.games.length],
      yRange: [0, top],
      yTicks: ticks,
      yText: (value) => decimal(value, step < 1 ? 2 : 0),
      xLabel: "Game",
      yLabel: "Mistake index",
      label: trends.map((trend) => `Mistake index of ${trend.name}: ${trend.rows.map((row) => `game ${row.x}: ${decimal(row.y)}`).join(", ")}.`).join(" "),
      pick: (x) => {
        const address = pageAddress(index.games[clamp(Math.round(x), 1, index.games.length) - 1]);
        if (address) location.href = address;
      },
    });
  new ResizeObserver(draw).observe(chart);
  draw();
}

/** The columns of the table of games; `sort` is the value that a column sorts by. */
const GAME_COLUMNS = [
  { key: "at", name: "Game", number: true, sort: (it) => it.at },
  { key: "date", name: "Date", sort: (it) => it.game.date ?? "" },
  { key: "name", name: "Player", sort: (it) => it.row.name },
  { key: "opponent", name: "Opponent", sort: (it) => it.row.opponent ?? "" },
  { key: "result", name: "Result", sort: (it) => it.row.score - it.row.opponentScore },
  { key: "index", name: "Index", number: true, sort: (it) => it.row.mistakeIndex },
  { key: "loss", name: "Mean loss", number: true, sort: (it) => it.row.meanLoss ?? -1 },
  { key: "best", name: "Best moves", number: true, sort: (it) => it.row.bestShare ?? -1 },
  { key: "worst", name: "Worst mistake", sort: (it) => it.row.worst ?? "" },
];

/** The table of games, sorted by a column. */
class GameTable {
  constructor(place, index) {
    this.place = place;
    this.rows = index.games.flatMap((game, at) => game.rows.map((row) => ({ game, row, at: at + 1 })));
    this.hasNames = index.player === undefined;
    this.sorted = { key: "at", descending: false };
  }

  sort(key) {
    const descending = this.sorted.key === key ? !this.sorted.descending : false;
    this.sorted = { key, descending };
    this.draw();
    this.place.querySelector(`th button[data-key="${key}"]`)?.focus();
  }

  draw() {
    const { key, descending } = this.sorted;
    const value = GAME_COLUMNS.find((column) => column.key === key).sort;
    const compare = (a, b) => {
      const [left, right] = [value(a), value(b)];
      const order = typeof left === "string" ? left.localeCompare(right, "en") : left - right;
      return (descending ? -order : order) || a.at - b.at;
    };
    const columns = GAME_COLUMNS.filter((column) => column.key !== "name" || this.hasNames).map((column) => this.column(column));
    const rows = [...this.rows].sort(compare).map(({ game, row, at }) => ({
      settings: { "data-game": at },
      cells: {
        at: gameLink(game, null, at),
        date: game.date || NO_FIGURE,
        name: row.name,
        opponent: row.opponent || NO_FIGURE,
        result: `${outcomeText(row)} ${row.score}:${row.opponentScore}`,
        index: decimal(row.mistakeIndex),
        loss: row.meanLoss === undefined ? NO_FIGURE : `${decimal(row.meanLoss, 2)} %`,
        best: row.bestShare === undefined ? NO_FIGURE : `${decimal(row.bestShare, 0)} %`,
        worst: row.worstTurn ? gameLink(game, row.worstTurn, `Turn ${row.worstTurn}: ${row.worst ?? ""}`) : "none",
      },
    }));
    this.place.replaceChildren(html("h2", { text: "Games" }), table({ caption: "Games", class: "games", columns }, rows));
  }

  /** A column whose head sorts by it. */
  column(column) {
    const isSorted = this.sorted.key === column.key;
    const order = this.sorted.descending ? "descending" : "ascending";
    const head = html(
      "button",
      { type: "button", class: "sort", "data-key": column.key, on: { click: () => this.sort(column.key) } },
      html("span", { text: column.name }),
      isSorted ? icon(this.sorted.descending ? "down" : "up") : null,
    );
    return { ...column, head, settings: { "aria-sort": isSorted ? order : null } };
  }
}

/** The mistakes of one kind: how many, what they cost, and links to each. */
function kindNode(index, kind) {
  const mistakes = index.mistakes.filter((mistake) => (mistake.kind ?? "") === kind);
  const share = mistakes.reduce((sum, mistake) => sum + (mistake.loss ?? 0), 0);
  const links = mistakes.map((mistake) => {
    const game = index.games[mistake.game ?? 0];
    const cost = mistake.loss === undefined ? `${decimal(mistake.pointsLost)} pts` : `${decimal(mistake.loss)} %`;
    return html(
      "li",
      {},
      classBadge(mistake),
      " ",
      gameLink(game, mistake.turn, `Game ${(mistake.game ?? 0) + 1}, turn ${mistake.turn}: ${mistake.played} instead of ${mistake.best}`),
      html("small", { text: ` ${index.player ? "" : `${mistake.name}, `}${cost}` }),
    );
  });
  const name = kind ? KIND_NAMES[kind] : "other";
  return html(
    "details",
    {},
    html("summary", {}, `${name}: ${counted(mistakes.length, "mistake")}`, html("small", { text: ` ${decimal(share)} points of win probability` })),
    html("ul", { class: "mistakes" }, ...links),
  );
}

/** Fills the place with the mistakes by kind, the most costly kind first. */
function renderKinds(place, index) {
  const kinds = [...new Set(index.mistakes.map((mistake) => mistake.kind ?? ""))];
  const cost = (kind) => index.mistakes.reduce((sum, mistake) => sum + ((mistake.kind ?? "") === kind ? (mistake.loss ?? 0) : 0), 0);
  kinds.sort((a, b) => cost(b) - cost(a));
  place.replaceChildren(
    html("h2", { text: "Mistakes by kind" }),
    kinds.length ? html("div", {}, ...kinds.map((kind) => kindNode(index, kind))) : html("p", { class: "note", text: "No mistakes." }),
  );
}

/** Fills the place with the records that have no review. */
function renderFailures(place, index) {
  if (!index.failures.length) {
    place.hidden = true;
    return;
  }
  const items = index.failures.map((failure) => html("li", {}, html("b", { text: failure.record }), `: ${failure.reason}`));
  place.replaceChildren(html("h2", { text: `Without a review: ${counted(items.length, "record")}` }), html("ul", { class: "notes" }, ...items));
}

/** Draws the index. */
function startIndex() {
  const index = { games: [], totals: [], mistakes: [], failures: [], ...pageData() };
  index.games = index.games.map((game) => ({ ...game, rows: game.rows ?? [] }));
  startPage();
  byId("tools").replaceChildren(themeButton());
  byId("totals").replaceChildren(...index.totals.map((total, at) => totalCard(total, (at % 4) + 1)));
  renderTrend(byId("trend"), index);
  new GameTable(byId("games"), index).draw();
  renderKinds(byId("kinds"), index);
  renderFailures(byId("failures"), index);
}

startIndex();
