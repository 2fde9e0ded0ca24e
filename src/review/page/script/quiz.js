// Find it yourself: goes through the mistakes of a player, hides what was played, and compares the
// answer with it. While an answer is open, nothing of the turn is on the page but board and rack.

/**
 * The state of the exercise.
 * @typedef {Object} Quiz
 * @property {number} seat
 * @property {number[]} turns the indexes of the turns to find a move for
 * @property {number} at the place in `turns`
 * @property {number|null} choice the candidate on the board
 * @property {{typed: TypedMove, tiles: SquareTile[]}|null} typed the typed move on the board
 * @property {number|"unknown"|"shown"|null} answer a candidate, a move that was not analysed, given up
 * @property {string} text what stands in the field
 * @property {string} problem why the typed move cannot be read
 * @property {boolean[]} found by place: whether the best move was found
 */

/** The indexes of the turns that a player can practise on. */
function practiceTurns(review, seat) {
  return review.turns.flatMap((turn, index) => (turn.seat === seat && canBePractised(turn) ? [index] : []));
}

/** @returns {Quiz} */
function newQuiz(review, seat) {
  return { seat, turns: practiceTurns(review, seat), found: [], ...unanswered(0) };
}

/** The fields of the exercise for a turn without an answer. */
function unanswered(at) {
  return { at, choice: null, typed: null, answer: null, text: "", problem: "" };
}

/** The value that decides between candidates, and its error: points in endgames, else win probability. */
function decidingFigure(turn, move) {
  return (turn.byPoints ? move.gain : move.win) ?? move.win ?? move.gain ?? { value: move.equity, error: null };
}

/** By how much a candidate is behind the best one, and whether that is inside the noise. */
function behindBest(turn, move) {
  const [best, own] = [decidingFigure(turn, turn.candidates[0]), decidingFigure(turn, move)];
  const behind = Math.max(0, best.value - own.value);
  const noise = move.exact ? 0 : 2 * Math.hypot(best.error ?? 0, own.error ?? 0);
  return { behind, isBest: move === turn.candidates[0], isNoise: behind <= Math.max(noise, turn.byPoints ? 0 : 0.25) };
}

/** An amount in the unit that decides the turn. */
function amount(turn, value) {
  return turn.byPoints ? `${decimal(value)} points` : `${decimal(value)} points of win probability`;
}

/** What an answer is worth, in words, and whether it counts as found. */
function assess(turn, at) {
  const move = turn.candidates[at];
  const { behind, isBest, isNoise } = behindBest(turn, move);
  const played = turn.candidates[playedIndex(turn)];
  const best = turn.candidates[0];
  if (move.played) return { found: false, text: `${move.text} is the move that was played. It gives up ${amount(turn, behind)} against ${best.text}.` };
  if (isBest) return { found: true, text: `${move.text} is the best move.` };
  if (isNoise) return { found: true, text: `${move.text} is as good as ${best.text}, as far as the search can tell: it is ${amount(turn, behind)} behind.` };
  const gap = `${move.text} gives up ${amount(turn, behind)} against ${best.text}.`;
  if (!played) return { found: false, text: gap };
  const before = behindBest(turn, played).behind;
  const compared = behind < before ? `That is better than ${played.text}, which was played and gives up ${decimal(before)}.` : `That is no better than ${played.text}, which was played and gives up ${decimal(before)}.`;
  return { found: false, text: `${gap} ${compared}` };
}

/** The buttons that start the exercise, one for each player who has something to practise. */
function quizButtons(review, start) {
  return review.players.flatMap((player) => {
    const count = practiceTurns(review, player.seat).length;
    if (!count) return [];
    const text = `Find it yourself: ${counted(count, "mistake")} of ${player.name}`;
    return [button({ text, name: "search", class: `find seat-${player.seat}`, "data-find": player.seat, on: () => start(player.seat) })];
  });
}

/** The candidates by their names, without figures and without what was played. */
function choiceNodes(turn, quiz, actions) {
  const order = turn.candidates.map((_, at) => at).sort((a, b) => (turn.candidates[a].text < turn.candidates[b].text ? -1 : 1));
  return html(
    "ul",
    { class: "choices" },
    ...order.map((at) =>
      html("li", {}, html("button", { type: "button", class: "move", "data-choice": at, "aria-pressed": String(quiz.choice === at), on: { click: () => actions.choose(at) } }, html("span", { text: turn.candidates[at].text }))),
    ),
  );
}

/** The field for a typed move. */
function typingNode(quiz, actions) {
  const field = html("input", { id: "typed", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "8D WORD" });
  field.value = quiz.text;
  const submit = (event) => {
    event.preventDefault();
    actions.type(field.value);
  };
  return html(
    "form",
    { class: "typing", on: { submit } },
    html("label", { for: "typed", text: "Or type a move" }),
    field,
    html("button", { type: "submit", text: "Put it on the board" }),
    quiz.problem ? html("p", { class: "problem", role: "alert", text: quiz.problem }) : null,
  );
}

/** What stands beside the board while the answer is open. */
function questionNodes(turn, quiz, actions) {
  const isReady = quiz.choice !== null || quiz.typed !== null;
  const ready = quiz.typed ? quiz.typed.typed.code.replace(".", " ") : isReady ? turn.candidates[quiz.choice].text : "";
  return [
    html("p", { text: "A better move than the one that was played was there. Pick a candidate, or type a move." }),
    typingNode(quiz, actions),
    html("h3", { text: "Candidates, in the order of their names" }),
    choiceNodes(turn, quiz, actions),
    html(
      "p",
      { class: "deciding" },
      html("button", { type: "button", class: "main", id: "check", disabled: !isReady, text: isReady ? `Check ${ready}` : "Check", on: { click: actions.check } }),
      html("button", { type: "button", id: "give-up", text: "Show the answer", on: { click: actions.giveUp } }),
    ),
  ];
}

/** The verdict on an answer. */
function answerNode(turn, quiz) {
  if (quiz.answer === "unknown") {
    const { code } = quiz.typed.typed;
    const command = comparisonCommand(turn, [code, turn.candidates[0].code]);
    return html(
      "div",
      { class: "answer open" },
      html("p", {}, html("b", { text: `${code.replace(".", " ")} was not analysed.` }), " This command compares it with the best candidate:"),
      html("p", {}, html("code", { class: "command", text: command })),
      copyButton("Copy the command", command),
    );
  }
  const { found, text } = quiz.answer === "shown" ? { found: false, text: `The best move is ${turn.candidates[0].text}.` } : assess(turn, quiz.answer);
  return html("div", { class: `answer ${found ? "found" : "missed"}` }, html("p", {}, html("b", { text: found ? "Found. " : "" }), text));
}

/** The buttons between two turns of the exercise. */
function quizSteps(quiz, actions) {
  const isLast = quiz.at + 1 >= quiz.turns.length;
  return html(
    "p",
    { class: "deciding" },
    quiz.answer === null ? null : html("button", { type: "button", class: "main", id: "next", text: isLast ? "Finish" : "Next mistake", on: { click: isLast ? actions.leave : actions.next } }),
    quiz.answer === null && !isLast ? html("button", { type: "button", id: "skip", text: "Skip", on: { click: actions.next } }) : null,
    html("button", { type: "button", class: "quiet", id: "leave", text: "Back to the review", on: { click: actions.leave } }),
  );
}

/** Fills the place with the exercise. */
function renderQuiz(place, review, quiz, focus, actions) {
  const turn = review.turns[quiz.turns[quiz.at]];
  const player = playerOf(review, quiz.seat);
  const found = quiz.found.filter(Boolean).length;
  const heading = html(
    "header",
    { class: "turn-heading" },
    html("h2", { id: "question", tabindex: "-1" }, "Find it yourself: turn ", String(turn.number), " of ", html("span", { class: `name seat-${turn.seat}`, text: player.name })),
    html("p", { class: "note", text: `Mistake ${quiz.at + 1} of ${quiz.turns.length}, ${found} found` }),
  );
  if (quiz.answer === null) {
    place.replaceChildren(heading, ...questionNodes(turn, quiz, actions), quizSteps(quiz, actions), unseenNode(turn));
    return;
  }
  const shown = turn.candidates[focus.candidate ?? 0];
  const nodes = [
    heading,
    answerNode(turn, quiz),
    quizSteps(quiz, actions),
    turn.explanation ? html("p", { class: "explanation", text: turn.explanation }) : null,
    candidateTable(turn.candidates, focus.candidate, actions.pick),
    detailNode(shown, focus, actions),
  ];
  place.replaceChildren(...nodes.filter(Boolean));
}
