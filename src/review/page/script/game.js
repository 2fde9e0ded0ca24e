// The page of a game: holds what is shown, and draws it after each change.

/** Nothing on the board but the game. */
const NO_FOCUS = { candidate: null, reply: null, line: null };

/** The page of a game. */
class GamePage {
  constructor(review) {
    this.review = review;
    this.boards = boardsOf(review);
    this.values = new Map(review.board.letters.map((letter) => [letter.face, letter.value]));
    this.state = { index: 0, view: "win", side: review.players[0]?.seat ?? 1, focus: NO_FOCUS };
    /** @type {Quiz|null} */
    this.quiz = null;
    this.actions = {
      go: (index) => this.go(index, true),
      setView: (view) => this.change({ view }),
      setSide: (side) => this.change({ side }),
      pick: (candidate) => this.focus({ ...NO_FOCUS, candidate }),
      showReply: (reply) => this.focus({ ...this.state.focus, reply, line: null }),
      showLine: (line) => this.focus({ ...this.state.focus, line, reply: null }),
      ...this.quizActions(),
    };
  }

  /** The turn that the page shows. */
  get turn() {
    return this.review.turns[this.state.index];
  }

  start() {
    startPage();
    byId("tools").replaceChildren(...quizButtons(this.review, (seat) => this.startQuiz(seat)), themeButton());
    renderCards(byId("players"), this.review);
    if (!this.review.turns.length) {
      byId("analysis").replaceChildren(html("p", { class: "note", text: "The record has no turns." }));
      renderAbout(byId("about"), this.review);
      return;
    }
    this.drawAround();
    this.readFragment();
    this.draw();
    listenToKeys({
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.review.turns.length - 1),
      Escape: () => this.release(),
    });
    addEventListener("hashchange", () => {
      if (this.readFragment()) this.draw();
    });
    new ResizeObserver(() => this.drawGraph()).observe(byId("graph"));
  }

  /** Draws the parts that show all turns, or takes them off the page during the exercise. */
  drawAround() {
    const places = ["turning", "turns", "about"].map(byId);
    document.body.classList.toggle("finding", this.quiz !== null);
    if (this.quiz) {
      for (const place of [...places, byId("graph")]) place.replaceChildren();
      return;
    }
    renderTurningPoints(byId("turning"), this.review, this.actions.go);
    renderTurns(byId("turns"), this.review, this.actions.go);
    renderAbout(byId("about"), this.review);
  }

  /** Shows the turn of the fragment `#turn=11`. Tells whether there was one to show. */
  readFragment() {
    const number = Number(/(?:^#|&)turn=(\d+)/.exec(location.hash)?.[1]);
    const index = this.review.turns.findIndex((turn) => turn.number === number);
    if (index < 0 || this.quiz || index === this.state.index) return false;
    this.state = { ...this.state, index, focus: NO_FOCUS };
    return true;
  }

  change(state) {
    this.state = { ...this.state, ...state };
    this.draw();
  }

  focus(focus) {
    this.change({ focus });
  }

  /** Takes back what was put on the board. */
  release() {
    if (this.quiz && this.quiz.answer === null) this.quiz = { ...this.quiz, choice: null, typed: null };
    this.focus(NO_FOCUS);
  }

  step(by) {
    this.go(clamp(this.state.index + by, 0, this.review.turns.length - 1));
  }

  /** Shows a turn, and brings the board into view for those who chose it elsewhere on the page. */
  go(index, scroll = false) {
    if (this.quiz || !this.review.turns[index]) return;
    this.change({ index, focus: NO_FOCUS });
    history.replaceState(null, "", `#turn=${this.turn.number}`);
    if (scroll) byId("turn").scrollIntoView({ block: "nearest" });
  }

  draw() {
    const restoreFocus = rememberFocus();
    this.drawBoard();
    this.drawSteps();
    if (this.quiz) renderQuiz(byId("analysis"), this.review, this.quiz, this.state.focus, this.actions);
    else {
      renderAnalysis(byId("analysis"), this.review, this.turn, this.state.focus, this.actions);
      markTurn(byId("turns"), this.turn.number);
    }
    this.drawGraph();
    restoreFocus();
    this.announce();
  }

  drawGraph() {
    if (this.quiz) return;
    const restoreFocus = rememberFocus();
    renderGraph(byId("graph"), this.review, this.state, this.actions);
    restoreFocus();
  }

  /** Says what is shown, for screen readers. */
  announce() {
    const { turn } = this;
    const total = this.review.turns.length;
    const text = this.quiz
      ? `Find a better move: turn ${turn.number}, rack ${turn.rack.join(" ")}.`
      : `Turn ${turn.number} of ${total}. ${verdict(turn, playerOf(this.review, turn.seat))}`;
    if (byId("announcement").textContent !== text) byId("announcement").textContent = text;
  }

  /** The move on the board: that of the game, a candidate, or a typed one. */
  shownMove() {
    const { turn, quiz } = this;
    const { candidate, reply, line } = this.state.focus;
    if (quiz && quiz.answer === null) {
      if (quiz.typed) return { tiles: quiz.typed.tiles, text: "the typed move", ghost: true };
      if (quiz.choice === null) return { tiles: [], text: "", open: true };
      return { tiles: turn.candidates[quiz.choice].changes, text: turn.candidates[quiz.choice].text, ghost: true };
    }
    const wanted = candidate ?? (reply !== null || line !== null ? playedIndex(turn) : null);
    const at = wanted === -1 ? 0 : wanted;
    if (at !== null && turn.candidates[at]) {
      const move = turn.candidates[at];
      return { tiles: move.changes, text: move.text, ghost: candidate !== null, move };
    }
    if (quiz?.answer === "unknown") return { tiles: quiz.typed.tiles, text: "the typed move", ghost: true };
    return { tiles: turn.changes, text: turn.played };
  }

  drawBoard() {
    const { turn, review } = this;
    const owner = `seat-${turn.seat}`;
    const player = playerOf(review, turn.seat);
    const before = this.boards[this.state.index];
    const shown = this.shownMove();
    const layers = [];
    let tiles = before;
    if (shown.ghost) layers.push({ tiles: shown.tiles, class: `ghost ${owner}` });
    else if (turn.cameOff && !shown.move) layers.push({ tiles: shown.tiles, class: "came-off" });
    else tiles = changed(before, shown.tiles);
    this.addReply(layers, shown);
    this.addLine(layers, shown, before);
    const previous = this.review.turns[this.state.index - 1];
    const isBefore = shown.open && previous && !previous.cameOff;
    const last = isBefore ? previous.changes : shown.ghost ? [] : shown.tiles;
    const when = shown.open || shown.ghost ? `Board before turn ${turn.number}` : `Board after turn ${turn.number}`;
    const with_ = shown.ghost ? `, with ${shown.text} of ${player.name}` : shown.open ? "" : `: ${player.name} played ${shown.text}`;
    renderBoard(byId("board"), {
      side: review.board.side,
      premiums: review.board.premiums,
      start: review.board.start,
      tiles,
      layers: layers.reverse(),
      marked: new Set(last.map((tile) => tile.square)),
      owner: isBefore ? `seat-${previous.seat}` : owner,
      label: `${when}${with_}.`,
    });
    renderRack(byId("rack"), {
      rack: turn.rack,
      unknown: turn.unknown,
      used: shown.tiles.map((tile) => (tile.blank ? "?" : tile.face)),
      values: this.values,
      owner,
      label: `Rack of ${player.name}: ${turn.rack.map((face) => (face === "?" ? "blank" : face)).join(" ") || "unknown"}.`,
    });
  }

  /** Puts the chosen reply on top of the move. */
  addReply(layers, shown) {
    const reply = shown.move?.replies[this.state.focus.reply ?? -1];
    if (reply) layers.push({ tiles: reply.changes, class: "ghost reply" });
  }

  /** Puts a proved line on top of the move, as far as it was followed. */
  addLine(layers, shown, before) {
    if (!shown.move || this.state.focus.line === null) return;
    let tiles = changed(before, shown.tiles);
    for (const text of shown.move.line.slice(1, this.state.focus.line + 1)) {
      const read = new MoveReader(this.review.board, tiles).read(text);
      if (read.error) return;
      tiles = changed(tiles, read.tiles);
      layers.push({ tiles: read.tiles, class: "ghost reply" });
    }
  }

  drawSteps() {
    const { index } = this.state;
    const last = this.review.turns.length - 1;
    const shown = html("p", { class: "where", text: `Turn ${this.turn.number} of ${this.review.turns.length}` });
    const step = (id, label, name, target, isEnd) =>
      button({ id, label, name, disabled: isEnd, on: () => this.go(target) });
    byId("steps").replaceChildren(
      ...(this.quiz
        ? [shown]
        : [
            step("first", "First turn", "first", 0, index === 0),
            step("back", "Back one turn", "back", index - 1, index === 0),
            shown,
            step("forward", "Forward one turn", "forward", index + 1, index === last),
            step("last", "Last turn", "last", last, index === last),
          ]),
    );
    const isOpen = this.quiz && this.quiz.answer === null;
    byId("copying").replaceChildren(
      this.turn.cgp ? copyButton("Copy position", this.turn.cgp) : "",
      this.turn.command && !isOpen ? copyButton("Copy command", this.turn.command) : "",
    );
  }

  startQuiz(seat) {
    this.quiz = newQuiz(this.review, seat);
    this.enterQuestion();
    byId("question")?.focus({ preventScroll: true });
  }

  /** Shows the turn that the exercise asks about. */
  enterQuestion() {
    history.replaceState(null, "", "#find");
    this.state = { ...this.state, index: this.quiz.turns[this.quiz.at], focus: NO_FOCUS };
    this.drawAround();
    this.draw();
    byId("turn").scrollIntoView({ block: "nearest" });
  }

  quizActions() {
    const change = (state) => {
      this.quiz = { ...this.quiz, ...state };
      this.draw();
    };
    return {
      choose: (at) => change({ choice: this.quiz.choice === at ? null : at, typed: null, problem: "" }),
      type: (text) => change(this.readTyped(text)),
      check: () => this.checkAnswer(),
      giveUp: () => this.showAnswer("shown"),
      next: () => {
        this.quiz = { ...this.quiz, ...unanswered(this.quiz.at + 1) };
        this.enterQuestion();
        byId("question")?.focus({ preventScroll: true });
      },
      leave: () => {
        this.quiz = null;
        this.drawAround();
        this.go(this.state.index);
      },
    };
  }

  /** What a typed move changes in the exercise. */
  readTyped(text) {
    const { turn } = this;
    const typed = new MoveReader(this.review.board, this.boards[this.state.index]).read(text);
    if (typed.error) return { text, problem: typed.error, typed: null, choice: null };
    const tiles = tilesFromRack(typed, turn.rack, turn.unknown);
    const known = findCandidate(turn.candidates, tiles && typed.kind === "play" ? { ...typed, tiles } : typed);
    if (known >= 0) return { text, problem: "", typed: null, choice: known };
    if (!tiles && typed.kind !== "pass") return { text, problem: "The rack does not have these tiles.", typed: null, choice: null };
    return { text, problem: "", typed: { typed, tiles: tiles ?? [] }, choice: null };
  }

  checkAnswer() {
    if (this.quiz.typed) this.showAnswer("unknown");
    else if (this.quiz.choice !== null) this.showAnswer(this.quiz.choice);
  }

  /** Ends the question and shows what is known about the turn. */
  showAnswer(answer) {
    const found = [...this.quiz.found];
    found[this.quiz.at] = typeof answer === "number" && assess(this.turn, answer).found;
    this.quiz = { ...this.quiz, answer, found };
    this.state = { ...this.state, focus: typeof answer === "number" ? { ...NO_FOCUS, candidate: answer } : NO_FOCUS };
    this.draw();
    byId("next")?.focus({ preventScroll: true });
  }
}

/** Remembers which control has the focus, because drawing replaces it; returns what restores it. */
function rememberFocus() {
  const active = document.activeElement;
  if (!active || active === document.body) return () => {};
  const keys = ["data-reply", "data-line", "data-choice"].filter((key) => active.hasAttribute(key));
  const row = active.closest("[data-candidate]");
  const group = active.closest(".choice");
  const selector = active.id ? `#${CSS.escape(active.id)}`
    : keys.length ? `[${keys[0]}="${CSS.escape(active.getAttribute(keys[0]))}"]`
    : row ? `[data-candidate="${CSS.escape(row.dataset.candidate)}"] button`
    : group ? `.choice[aria-label="${CSS.escape(group.getAttribute("aria-label"))}"] [aria-pressed=true]`
    : null;
  return () => {
    if (active.isConnected || !selector) return;
    let found = document.querySelector(selector);
    // A button at the end of the game is disabled: its counterpart takes the focus.
    if (found?.disabled) found = document.querySelector("#steps button:not([disabled])");
    found?.focus({ preventScroll: true });
  };
}

new GamePage(restoreReview(pageData())).start();
