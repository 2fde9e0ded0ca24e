// The summary: a card for each player, and the turning points.

/** A figure with its name. */
function fact(name, value, note) {
  return html(
    "div",
    { class: "fact" },
    html("dt", { text: name }),
    html("dd", {}, ...[value].flat(), note ? html("small", { text: ` ${note}` }) : null),
  );
}

/** The numbers of mistakes by class, each with its mark and its word. */
function mistakeCounts(player) {
  return MISTAKE_CLASSES.map((name, at) =>
    html(
      "span",
      { class: "count" },
      classIcon(name),
      html("span", { text: `${player.mistakes[at] ?? 0} ` }),
      html("small", { text: name }),
    ),
  );
}

/** The card of a player. */
function playerCard(player, count) {
  const outcome = player.won === null ? "" : player.won ? "won" : "";
  const graded = player.notGraded ? `, ${player.notGraded} not graded` : "";
  const loss = player.meanLoss;
  return html(
    "article",
    { class: `card player seat-${player.seat}`, "aria-label": player.name },
    html(
      "header",
      {},
      html("h2", {}, html("span", { class: "name", text: player.name }), outcome ? html("small", { text: ` ${outcome}` }) : null),
      html("p", { class: "score" }, spoken("Score "), String(player.score)),
    ),
    html(
      "dl",
      {},
      fact("Mistake index", decimal(player.mistakeIndex), player.level === null ? "" : `level ${player.level}`),
      fact("Mean loss", loss ? `${decimal(loss.value, 2)}${NBSP}%` : NO_FIGURE, errorText(loss, 2)),
      fact("Best moves", player.bestShare === null ? NO_FIGURE : `${decimal(player.bestShare, 0)}${NBSP}%`, `of ${player.graded}${graded}`),
      fact("Bonus plays", `${player.bonusFound} of ${player.bonusAvailable}`),
      player.luck ? fact("Luck", `${signed(player.luck.value, 0)}${NBSP}pts`, errorText(player.luck, 0)) : null,
      html("div", { class: "fact wide" }, html("dt", { text: "Mistakes" }), html("dd", { class: "counts" }, ...mistakeCounts(player))),
    ),
    count ? null : html("p", { class: "note", text: "No turn of this player is graded." }),
  );
}

/** Fills the place with the cards of all players. */
function renderCards(place, review) {
  place.replaceChildren(...review.players.map((player) => playerCard(player, player.graded)));
}

/**
 * Fills the place with the turning points.
 * @param {(index: number) => void} go shows the turn with this index
 */
function renderTurningPoints(place, review, go) {
  const items = review.turningPoints.flatMap((point) => {
    const index = review.turns.findIndex((turn) => turn.number === point.turn);
    if (index < 0) return [];
    const turn = review.turns[index];
    const link = html(
      "a",
      {
        href: `#turn=${point.turn}`,
        on: {
          click: (event) => {
            event.preventDefault();
            go(index);
          },
        },
      },
      html("b", { class: `name seat-${turn.seat}`, text: `Turn ${point.turn}: ` }),
      point.text,
    );
    const isMistake = turn.class !== "none" && !turn.notGraded;
    return [html("li", {}, link, isMistake ? html("p", {}, classBadge(turn)) : null)];
  });
  place.replaceChildren(
    html("h2", { text: "Turning points" }),
    items.length
      ? html("ol", {}, ...items)
      : html("p", { class: "note", text: "No turn changed the outcome by much." }),
  );
}
