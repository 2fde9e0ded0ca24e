// What stands at the end of the page: luck, losses by phase, findings, and where the figures are from.

/** A section that opens on demand. */
function foldable(title, ...children) {
  return html("details", {}, html("summary", { text: title }), ...children);
}

/** A table of names and values. */
function factTable(caption, rows) {
  const columns = [{ key: "name", name: "Name" }, { key: "value", name: "Value", number: true }];
  const body = rows.map(([name, value]) => ({ cells: { name, value } }));
  return table({ caption, class: "facts", columns }, body);
}

/** How luck and mistakes add up to the result. */
function balanceNode(review) {
  const balance = review.balance;
  if (!balance) return null;
  const [first, second] = review.players;
  const own = (values, at) => signed((values ?? [])[at] ?? 0);
  const minus = (values, at) => signed(-((values ?? [])[at] ?? 0));
  const rows = [
    ["Expected before the first draw", signed(balance.start ?? 0)],
    [`Mistakes of ${first.name}`, own(balance.mistakes, 0)],
    [`Mistakes of ${second.name}`, minus(balance.mistakes, 1)],
    [`Luck of ${first.name}`, own(balance.luck, 0)],
    [`Luck of ${second.name}`, minus(balance.luck, 1)],
    ["Residual: errors of the search, and what is not counted", signed(balance.residual ?? 0)],
    ["Final spread", signed(balance.spread ?? 0, 0)],
  ];
  return foldable("Luck and skill", html("p", { class: "note", text: `Points from the side of ${first.name}. The rows add up to the final spread.` }), factTable("How luck and mistakes add up", rows));
}

/** What each player lost in each phase. */
function phasesNode(review) {
  const columns = [
    { key: "player", name: "Player" },
    { key: "phase", name: "Phase" },
    { key: "turns", name: "Turns", number: true },
    { key: "win", name: "Win % lost", number: true },
    { key: "points", name: "Points lost", number: true },
    { key: "index", name: "Index", number: true },
  ];
  const rows = review.players.flatMap((player) =>
    player.phases.map((phase) => ({
      cells: {
        player: html("span", { class: `name seat-${player.seat}`, text: player.name }),
        phase: PHASE_NAMES[phase.phase] ?? phase.phase,
        turns: String(phase.turns),
        win: decimal(phase.win),
        points: decimal(phase.points),
        index: decimal(phase.index),
      },
    })),
  );
  return rows.length ? foldable("Losses by phase", table({ caption: "Losses by phase", class: "phases", columns }, rows)) : null;
}

/** The limits of the searches in words. */
function settingsText(settings) {
  const limit = settings.iterations ? counted(settings.iterations, "iteration") : settings.time ? `${settings.time} ms on average` : "no limit given";
  return `${limit} a turn, up to ${counted(settings.candidates ?? 0, "candidate")}, seed ${settings.seed ?? 0}`;
}

/** Fills the place. */
function renderAbout(place, review) {
  const from = review.provenance;
  const rows = [
    ["Engine", from.engine], ["Searches", settingsText(review.settings)], ["Lexicon", from.lexicon],
    ["Leave values", from.leaves], ["Win probabilities", from.winpct], ["Rules", from.rules],
  ];
  const findings = review.findings.length
    ? foldable(`The record: ${counted(review.findings.length, "finding")}`, html("ul", { class: "notes" }, ...review.findings.map((text) => html("li", { text }))))
    : null;
  const nodes = [
    html("h2", { text: "About this review" }),
    review.description ? html("p", { text: review.description }) : null,
    findings,
    balanceNode(review),
    phasesNode(review),
    foldable("Where the figures come from", factTable("Where the figures come from", rows.filter(([, value]) => value))),
    html("p", { class: "note keys" }, "Keys: ", html("kbd", { text: "Left" }), " and ", html("kbd", { text: "Right" }), " step through the turns, ", html("kbd", { text: "Home" }), " and ", html("kbd", { text: "End" }), " go to the first and last one, ", html("kbd", { text: "Escape" }), " takes back what was put on the board."),
  ];
  place.replaceChildren(...nodes.filter(Boolean));
}
