// What is known about the turn shown: verdict, candidates, replies, draws, proved line, unseen tiles.

/** One sentence about the turn, for the heading and for screen readers. */
function verdict(turn, player) {
  const made = `${player.name} played ${turn.played} for ${counted(turn.points, "point")}`;
  if (turn.notGraded) return `${made}. Not graded: ${NOT_GRADED_NAMES[turn.notGraded] ?? "not graded"}.`;
  if (turn.class === "none") return `${made}. No mistake.`;
  const unit = turn.byPoints ? `${decimal(valueOf(turn.pointsLost))} points` : `${decimal(valueOf(turn.loss))} points of win probability`;
  const best = turn.best ? ` Best: ${turn.best}.` : "";
  return `${made}. ${CLASS_NAMES[turn.class]} mistake, it gave up ${unit}.${best}`;
}

/** The heading of a turn, with its badge and figures. */
function turnHeading(turn, player) {
  const rack = tilesText([...turn.rack, ...Array(turn.unknown).fill("_")]);
  const kind = turn.kind ? html("span", { class: "tag", text: KIND_NAMES[turn.kind] ?? turn.kind }) : null;
  const blown = turn.blown ? html("span", { class: "tag phony", text: "blown endgame" }) : null;
  const mistake = turn.class !== "none" && !turn.notGraded;
  return html(
    "header",
    { class: "turn-heading" },
    html("h2", {}, `Turn ${turn.number} `, html("span", { class: `name seat-${turn.seat}`, text: player.name }), html("span", { class: "tiles", text: ` ${rack}` })),
    html("p", { class: "verdict" }, html("b", { text: turn.played }), html("span", { text: `${turn.points} pts` }), classBadge(turn), mistake ? html("span", { class: "lost", text: `loses ${lossText(turn)}` }) : null, kind, blown),
  );
}

/** What else the record and the search say about the turn, as a list. */
function turnNotes(turn) {
  const notes = [];
  if (turn.phonies.length) notes.push(`Not in the lexicon: ${turn.phonies.join(", ")}.`);
  if (turn.cameOff) notes.push("The play was challenged and came off the board.");
  if (turn.missedChallenge.length) notes.push(`The opponent's ${turn.missedChallenge.join(", ")} should have been challenged before this turn.`);
  if (turn.missedBonus) notes.push(`Missed bonus play: ${turn.missedBonus}.`);
  if (turn.byPoints && turn.class !== "none") notes.push("The class follows from points, because win probability says nothing here.");
  const drawn = turn.drawn.length ? `Drew ${tilesText(turn.drawn)}` : "Draw";
  if (turn.luck) {
    const win = turn.luckWin ? `, ${signed(turn.luckWin.value)} % win probability` : "";
    notes.push(`${drawn}: luck ${signed(turn.luck.value)}${errorText(turn.luck)} points${win}.`);
  } else if (turn.drawn.length) notes.push(`${drawn}.`);
  notes.push(...turn.notes);
  return notes.length ? html("ul", { class: "notes" }, ...notes.map((text) => html("li", { text }))) : null;
}

/** The frequent replies to a candidate as buttons that show them on the board. */
function repliesNode(move, shown, show) {
  if (!move.replies.length) return null;
  const items = move.replies.map((reply, at) =>
    html(
      "li",
      {},
      html(
        "button",
        { type: "button", class: "move", "aria-pressed": String(shown === at), "data-reply": at, on: { click: () => show(shown === at ? null : at) } },
        html("span", { text: reply.text }),
      ),
      html("span", { class: "figures", text: `${counted(reply.points, "point")}, in ${decimal(reply.percent, reply.percent < 10 ? 1 : 0)} % of worlds` }),
    ),
  );
  return html("section", {}, html("h3", { text: "Most frequent replies" }), html("ul", { class: "replies" }, ...items));
}

/** The groups of draws of a pre-endgame with their headings. */
const DRAW_GROUPS = [["won", "Wins"], ["drawn", "Draws"], ["mixed", "Depends on the opponent"], ["lost", "Losses"]];

/** Every draw of a pre-endgame move with its result. */
function drawsNode(move) {
  if (!move.draws) return null;
  const groups = DRAW_GROUPS.filter(([key]) => move.draws[key].length).map(([key, name]) =>
    html(
      "div",
      { class: `draws ${key}` },
      html("h4", { text: `${name} with` }),
      html("p", {}, ...move.draws[key].flatMap((draw) => [html("span", { class: "chip", text: draw }), " "])),
    ),
  );
  const open = move.draws.open ? html("p", { class: "note", text: `Not proved: ${counted(move.draws.open, "draw")}.` }) : null;
  return html("section", {}, html("h3", { text: "After drawing from the bag" }), ...groups, open);
}

/** The line that an endgame was solved to. A click shows the board after that move. */
function lineNode(move, shown, show) {
  if (!move.line.length) return null;
  const items = move.line.map((text, at) =>
    html("li", {}, html("button", { type: "button", class: "move", "aria-pressed": String(shown === at), "data-line": at, on: { click: () => show(shown === at ? null : at) } }, html("span", { text }))),
  );
  const name = move.exact ? "Proved line" : "Expected line";
  return html("section", {}, html("h3", { text: name }), html("ol", { class: "line-moves" }, ...items));
}

/** The mean points of the turns that follow. */
function pliesNode(move) {
  if (!move.plies.length) return null;
  const names = ["reply", "own next turn", "reply to that", "turn after that"];
  const texts = move.plies.slice(0, names.length).map((mean, at) => `${names[at]} ${decimal(mean)}`);
  return html("p", { class: "note", text: `Mean points: ${texts.join(", ")}. Leave value ${signed(move.leaveValue)}.` });
}

/** The unseen tiles with their numbers. */
function unseenNode(turn) {
  const total = turn.unseen.reduce((sum, [, count]) => sum + count, 0);
  const chips = turn.unseen.flatMap(([face, count]) => [
    html("span", { class: "chip" }, html("b", { text: face === "?" ? "blank" : face }), html("small", { text: ` ${count}` })),
    " ",
  ]);
  return html(
    "section",
    { class: "unseen" },
    html("h3", { text: `${counted(total, "unseen tile")}, ${turn.bag} in the bag` }),
    total ? html("p", {}, ...chips) : null,
  );
}

/** Replies, draws and line of the candidate that the board shows. */
function detailNode(move, focus, actions) {
  const parts = [
    repliesNode(move, focus.reply, actions.showReply),
    drawsNode(move),
    lineNode(move, focus.line, actions.showLine),
    pliesNode(move),
  ].filter(Boolean);
  return parts.length ? html("div", { class: "detail" }, html("h3", { class: "of", text: `After ${move.text}` }), ...parts) : null;
}

/**
 * Fills the place with all about a turn.
 * @param {{candidate: number|null, reply: number|null, line: number|null}} focus
 */
function renderAnalysis(place, review, turn, focus, actions) {
  const player = playerOf(review, turn.seat);
  const shown = turn.candidates[focus.candidate ?? playedIndex(turn)] ?? turn.candidates[0];
  const nodes = [
    turnHeading(turn, player),
    turn.explanation ? html("p", { class: "explanation", text: turn.explanation }) : null,
    turn.candidates.length ? candidateTable(turn.candidates, focus.candidate, actions.pick) : html("p", { class: "note", text: "No move of this turn was searched." }),
    shown ? detailNode(shown, focus, actions) : null,
    turnNotes(turn),
    unseenNode(turn),
  ];
  place.replaceChildren(...nodes.filter(Boolean));
}
