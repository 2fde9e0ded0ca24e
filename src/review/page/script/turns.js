// The list of all turns.

/** The columns of the list. */
const TURN_COLUMNS = [
  { key: "number", name: "Turn", number: true },
  { key: "player", name: "Player" },
  { key: "rack", name: "Rack" },
  { key: "move", name: "Move" },
  { key: "points", name: "Points", number: true },
  { key: "total", name: "Total", number: true },
  { key: "loss", name: "Loss", number: true },
  { key: "class", name: "Class" },
  { key: "best", name: "Best move" },
];

function turnRow(review, turn, index, go) {
  const link = html(
    "a",
    {
      href: `#turn=${turn.number}`,
      class: "move",
      on: {
        click: (event) => {
          event.preventDefault();
          event.stopPropagation();
          go(index);
        },
      },
    },
    html("span", { text: turn.played }),
  );
  const cameOff = turn.cameOff ? html("span", { class: "tag phony", text: "came off" }) : null;
  const isMistake = turn.class !== "none" && !turn.notGraded;
  return {
    settings: { "data-turn": turn.number, on: { click: () => go(index) } },
    cells: {
      number: String(turn.number),
      player: html("span", { class: `name seat-${turn.seat}`, text: playerOf(review, turn.seat).name }),
      rack: tilesText([...turn.rack, ...Array(turn.unknown).fill("_")]) || NO_FIGURE,
      move: [link, cameOff],
      points: String(turn.points),
      total: String(turn.scores[turn.seat - 1] ?? NO_FIGURE),
      loss: lossText(turn),
      class: [classBadge(turn), turn.kind ? html("small", { class: "kind", text: KIND_NAMES[turn.kind] ?? "" }) : null],
      best: isMistake && turn.best ? turn.best : "",
    },
  };
}

/** Fills the place with the list. A click on a row shows its turn. */
function renderTurns(place, review, go) {
  const rows = review.turns.map((turn, index) => turnRow(review, turn, index, go));
  place.replaceChildren(
    html("h2", { text: "Turns" }),
    table({ caption: "All turns with what they lost", class: "turn-list", columns: TURN_COLUMNS }, rows),
  );
}

/** Marks the turn shown in the list. */
function markTurn(place, number) {
  for (const row of place.querySelectorAll("tr[data-turn]")) {
    if (row.dataset.turn === String(number)) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}
