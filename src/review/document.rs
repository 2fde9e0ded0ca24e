//! The result of a review as data: what the page shows and what the JSON output contains.
//!
//! Every figure is computed before it gets here. Probabilities are in percent, times in
//! milliseconds, seats and turns are numbered from 1. Squares are numbered from 0, row by row from
//! the top left. Texts come from the record unescaped: each output escapes them in its own way.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the format. It grows when a field changes its meaning or goes away.
pub const FORMAT_VERSION: u32 = 1;

/// The review of one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewDocument {
    /// The version of this format.
    pub format: u32,
    /// The title of the record, or the name of its file.
    pub title: String,
    /// The date of the game as the record gives it; empty if it does not.
    pub date: String,
    /// The description of the record; may be empty.
    pub description: String,
    /// What contradicts the rules or the lexicon in the record, with line numbers.
    pub findings: Vec<String>,
    /// The engine and the data of the searches.
    pub provenance: ReviewProvenance,
    /// The limits of the searches.
    pub settings: ReviewSettings,
    /// The board without tiles.
    pub board: ReviewBoard,
    /// The players, by seat.
    pub players: Vec<ReviewedPlayer>,
    /// The turns in order.
    pub turns: Vec<ReviewedTurn>,
    /// The turns that changed the outcome the most, the largest change first; at most three.
    pub turning_points: Vec<TurningPoint>,
    /// How the game ended, in words, such as `Ann wins by 34`.
    pub result: String,
    /// Whether the record ends before the game does.
    pub unfinished: bool,
    /// How luck and mistakes add up to the result; absent without luck figures.
    pub balance: Option<LuckBalance>,
}

/// The engine and the data of the searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewProvenance {
    /// Name and version of the engine.
    pub engine: String,
    /// The lexicon.
    pub lexicon: String,
    /// The leave values.
    pub leaves: String,
    /// The table of win probabilities.
    pub winpct: String,
    /// The rule set.
    pub rules: String,
}

/// The limits of the searches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewSettings {
    /// The average time of a turn in milliseconds, if time was the limit.
    pub time: Option<u64>,
    /// The iterations of a turn, if they were the limit.
    pub iterations: Option<u64>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of candidates.
    pub candidates: usize,
}

/// The board without tiles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewBoard {
    /// The number of rows, which is that of columns.
    pub side: usize,
    /// The premium of each square, `2L`, `3L`, `4L`, `2W`, `3W` or `4W`; empty for a plain square,
    /// `#` for one that no tile can cover.
    pub premiums: Vec<String>,
    /// The square that the first play covers, if the rules name one.
    pub start: Option<usize>,
    /// The letters of the tile set with their values.
    pub letters: Vec<LetterValue>,
    /// The tiles on the board before the first turn.
    pub tiles: Vec<SquareTile>,
}

/// A letter of the tile set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LetterValue {
    /// The letter as notations write it, such as `A` or `[CH]`; `?` is the blank.
    pub letter: String,
    /// The letter as people read it, such as `A` or `CH`.
    pub face: String,
    /// Its points.
    pub value: i32,
}

/// What a square holds after a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SquareTile {
    /// The square.
    pub square: usize,
    /// The letter as people read it; absent if the square becomes empty.
    pub face: Option<String>,
    /// Its points; 0 for a blank.
    pub value: i32,
    /// Whether the tile is a blank.
    pub blank: bool,
}

/// A figure and its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewFigure {
    /// The figure.
    pub value: f64,
    /// Its standard error: 0 if it is proved, absent if it is not known.
    pub error: Option<f64>,
}

/// A player with the sums of all turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewedPlayer {
    /// The seat.
    pub seat: usize,
    /// The full name, or the nickname.
    pub name: String,
    /// The nickname, one word.
    pub nick: String,
    /// The score at the end of the record, with the settlement.
    pub score: i32,
    /// Whether the player won or shared the win; absent if the game is unfinished.
    pub won: Option<bool>,
    /// The sum of the mistakes of all graded turns on the scale of docs/review.md.
    pub mistake_index: f64,
    /// What this index is usually translated to; a rough guide. Absent without graded turns.
    pub level: Option<u32>,
    /// The number of graded turns.
    pub graded: usize,
    /// The number of turns that are not graded: the rack is not known, or a turn was lost.
    pub not_graded: usize,
    /// The mean loss of win probability of a graded turn, in percentage points. Losses inside the
    /// noise of the search count 0.
    pub mean_loss: Option<ReviewFigure>,
    /// The points lost in all graded turns. Losses inside the noise of the search count 0.
    pub points_lost: ReviewFigure,
    /// The percentage of graded turns without a mistake.
    pub best_share: Option<f64>,
    /// The number of turns in which a play that earns a bonus was made.
    pub bonus_found: usize,
    /// The number of turns in which there was one, as far as racks are known.
    pub bonus_available: usize,
    /// The mistakes by class: small, medium and large.
    pub mistakes: [usize; 3],
    /// The loss by phase.
    pub phases: Vec<PhaseLoss>,
    /// The luck of the first rack and of the draws, in points; absent if it was not computed.
    pub luck: Option<ReviewFigure>,
    /// The luck of the first rack and of the draws, in percentage points of win probability.
    pub luck_win: Option<ReviewFigure>,
}

/// What a player lost in one phase of the game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PhaseLoss {
    /// The phase.
    pub phase: ReviewPhase,
    /// The number of graded turns.
    pub turns: usize,
    /// The win probability lost in them, in percentage points.
    pub win: f64,
    /// The points lost in them.
    pub points: f64,
    /// Their share of the mistake index.
    pub index: f64,
}

/// A phase of the game.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewPhase {
    /// More tiles are in the bag than a rack holds.
    #[default]
    Open,
    /// One tile to a rack of tiles are in the bag.
    PreEndgame,
    /// The bag is empty.
    Endgame,
}

/// The class of a mistake.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeClass {
    /// No mistake, or none that exceeds the noise of the search.
    #[default]
    None,
    /// A small mistake.
    Small,
    /// A medium mistake.
    Medium,
    /// A large mistake.
    Large,
}

/// What a mistake was about. The rules that assign one are in docs/review.md.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeKind {
    /// The play was a phony, and that cost more than the best valid move.
    Phony,
    /// A challenge that should have been made was not.
    MissedChallenge,
    /// There was a play that earns a bonus.
    MissedBonus,
    /// The bag was empty.
    Endgame,
    /// The better move scores more.
    Score,
    /// The better move keeps better tiles.
    Leave,
    /// The better move leaves the opponents less.
    Opening,
}

/// Why a turn is not graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotGraded {
    /// The rack is not known in full: its figures are means over sampled racks.
    SampledRack,
    /// Nothing is known of the rack.
    UnknownRack,
    /// The rules or the record do not allow the move that was played.
    NotLegal,
    /// The search failed; the notes say why.
    Failed,
}

/// A turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewedTurn {
    /// The number of the turn.
    pub number: usize,
    /// The line of the record.
    pub line: usize,
    /// The seat of the player.
    pub seat: usize,
    /// The known tiles of the rack as people read them, one text for each tile; `?` is a blank.
    pub rack: Vec<String>,
    /// The number of tiles on the rack that are not known.
    pub unknown: usize,
    /// The move that was played, for people, such as `8D FLYING` or `exchange QV`.
    pub played: String,
    /// The move that was played, as commands of the engine write it.
    pub code: String,
    /// Its points.
    pub points: i32,
    /// What it changes on the board.
    pub changes: Vec<SquareTile>,
    /// Whether it was challenged and came off the board.
    pub came_off: bool,
    /// The words of the play that are not in the lexicon.
    pub phonies: Vec<String>,
    /// The scores after the turn, by seat, with what followed it in the record: challenge points,
    /// penalties, the settlement.
    pub scores: Vec<i32>,
    /// The phase of the game before the turn.
    pub phase: ReviewPhase,
    /// The number of tiles in the bag before the turn.
    pub bag: usize,
    /// The tiles that the player does not see, by letter: the letter as people read it, and how
    /// many there are.
    pub unseen: Vec<(String, usize)>,
    /// The position before the turn in CGP.
    pub cgp: String,
    /// The command line that analyses the position with this program.
    pub command: String,
    /// Why the turn is not graded; absent if it is.
    pub not_graded: Option<NotGraded>,
    /// The best move, for people; absent if no move could be searched.
    pub best: Option<String>,
    /// The win probability of the player with the best move.
    pub win_best: Option<ReviewFigure>,
    /// The win probability of the player with the move that was played.
    pub win: Option<ReviewFigure>,
    /// The expected final spread of the player with the move that was played, in points.
    pub spread: Option<ReviewFigure>,
    /// The win probability that the move lost, in percentage points, never below 0 beyond its
    /// error.
    pub loss: Option<ReviewFigure>,
    /// The points that the move lost.
    pub points_lost: Option<ReviewFigure>,
    /// Whether the loss is proved.
    pub exact: bool,
    /// Whether the class follows from points and not from the win probability.
    pub by_points: bool,
    /// Whether an endgame move turned a win into a draw or a loss, or a draw into a loss.
    pub blown: bool,
    /// The class of the mistake.
    pub class: MistakeClass,
    /// What the turn adds to the mistake index.
    pub index: f64,
    /// What the mistake was about; absent if it is none.
    pub kind: Option<MistakeKind>,
    /// The best play that earns a bonus, for people, if there was one and another move was made.
    pub missed_bonus: Option<String>,
    /// Whether the play earned a bonus.
    pub bonus: bool,
    /// The phony of the opponent's play just before that should have been challenged: its words.
    pub missed_challenge: Vec<String>,
    /// The candidates, the move that was played among them. The best move comes first; the others
    /// follow by win probability. Those that dropped out early come last.
    pub candidates: Vec<ReviewedMove>,
    /// Why the best move is better, in one to three sentences.
    pub explanation: String,
    /// The luck of the tiles drawn after the turn, in points; absent if it was not computed.
    pub luck: Option<ReviewFigure>,
    /// The same in percentage points of win probability.
    pub luck_win: Option<ReviewFigure>,
    /// The tiles drawn after the turn as people read them, if they are known.
    pub drawn: Vec<String>,
    /// What else is worth knowing, for people.
    pub notes: Vec<String>,
}

/// A candidate of a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewedMove {
    /// The move for people.
    pub text: String,
    /// The move as commands of the engine write it.
    pub code: String,
    /// Its points.
    pub points: i32,
    /// The tiles that it keeps, as people read them.
    pub leave: Vec<String>,
    /// The static equity.
    pub equity: f64,
    /// The value of the leave alone.
    pub leave_value: f64,
    /// The win probability.
    pub win: Option<ReviewFigure>,
    /// The expected change of the spread to the end of the game or of the rollouts.
    pub gain: Option<ReviewFigure>,
    /// The win probability that it loses against the best move, in percentage points.
    pub loss: Option<ReviewFigure>,
    /// The worlds it was played out in; 0 in solved positions.
    pub iterations: u64,
    /// Whether its figures are proved.
    pub exact: bool,
    /// Whether it dropped out before the moves were valued, so that its figures are less certain
    /// and tend to be too high or too low.
    pub dropped: bool,
    /// Whether it was played.
    pub played: bool,
    /// Whether all its words are in the lexicon.
    pub valid: bool,
    /// Whether it earns a bonus.
    pub bonus: bool,
    /// What it changes on the board.
    pub changes: Vec<SquareTile>,
    /// The opponent's most frequent replies, the most frequent first.
    pub replies: Vec<FrequentReply>,
    /// The mean points of the opponent's reply, and of the player's next turn.
    pub plies: Vec<f64>,
    /// The proved line of an endgame, for people, beginning with the move itself.
    pub line: Vec<String>,
    /// What each draw of a pre-endgame leads to.
    pub draws: Option<ReviewedDraws>,
}

/// A reply to a candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrequentReply {
    /// The move for people.
    pub text: String,
    /// Its percentage of all replies.
    pub percent: f64,
    /// Its points.
    pub points: i32,
    /// What it changes on the board.
    pub changes: Vec<SquareTile>,
}

/// The draws of a pre-endgame move by the result they lead to. A draw is a list of tiles, such as
/// `EE`, with the number of ways in parentheses if there are several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewedDraws {
    /// The player wins.
    pub won: Vec<String>,
    /// The game is drawn.
    pub drawn: Vec<String>,
    /// The player loses.
    pub lost: Vec<String>,
    /// The result depends on a choice that the opponent makes without knowing the draw.
    pub mixed: Vec<String>,
    /// The number of draws that are not proved.
    pub open: usize,
}

/// A turn that changed the outcome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurningPoint {
    /// The number of the turn.
    pub turn: usize,
    /// The change of the win probability, in percentage points.
    pub swing: f64,
    /// What happened, in one sentence without the number of the turn.
    pub text: String,
}

/// How luck and mistakes add up to the result, in points from the side of seat 1. Two players only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LuckBalance {
    /// The expected spread before any tile is drawn.
    pub start: f64,
    /// The mistakes of both players, by seat: never above 0 beyond the noise.
    pub mistakes: Vec<f64>,
    /// The luck of both players, by seat.
    pub luck: Vec<f64>,
    /// What is left: errors of the search, and what is not counted.
    pub residual: f64,
    /// The final spread.
    pub spread: i32,
}

/// The review of many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewIndex {
    /// The version of this format.
    pub format: u32,
    /// The player whose games these are; empty if no player was named.
    pub player: String,
    /// The games, by date where the records give one, else by file name.
    pub games: Vec<IndexedGame>,
    /// The sums of the player, or of each player who occurs if none was named.
    pub totals: Vec<IndexTotal>,
    /// The mistakes, the most costly first; only those of the player if one was named.
    pub mistakes: Vec<IndexedMistake>,
    /// The records that could not be reviewed, each with the reason.
    pub failures: Vec<FailedRecord>,
}

/// A game of an index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexedGame {
    /// The file or the entry of an archive.
    pub record: String,
    /// The page of the game, relative to the index; empty if none was written.
    pub page: String,
    /// The title.
    pub title: String,
    /// The date as the record gives it; may be empty.
    pub date: String,
    /// One row for each player of the game that the index is about: the named player, or all.
    pub rows: Vec<IndexedPlayer>,
}

/// A player of a game of an index.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexedPlayer {
    /// The name.
    pub name: String,
    /// The opponents, separated by commas.
    pub opponent: String,
    /// The own score.
    pub score: i32,
    /// The highest score of an opponent.
    pub opponent_score: i32,
    /// Whether the player won or shared the win; absent if the game is unfinished.
    pub won: Option<bool>,
    /// The mistake index.
    pub mistake_index: f64,
    /// The number of graded turns.
    pub graded: usize,
    /// The mean loss of a graded turn, in percentage points.
    pub mean_loss: Option<f64>,
    /// The percentage of graded turns without a mistake.
    pub best_share: Option<f64>,
    /// The luck in points, if it was computed.
    pub luck: Option<f64>,
    /// The number of the turn with the worst mistake, if there is one.
    pub worst_turn: Option<usize>,
    /// What that turn lost, for people.
    pub worst: String,
}

/// The sums of a player over many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexTotal {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: usize,
    /// The number of finished games won, a shared win counting as a part.
    pub won: f64,
    /// The mean score.
    pub mean_score: f64,
    /// The mean spread.
    pub mean_spread: f64,
    /// The mean mistake index of a game.
    pub mistake_index: f64,
    /// What this mean is usually translated to; absent without graded turns.
    pub level: Option<u32>,
    /// The mean loss of a graded turn, in percentage points.
    pub mean_loss: Option<f64>,
    /// The percentage of graded turns without a mistake.
    pub best_share: Option<f64>,
    /// The number of bonus plays found, and of those there were.
    pub bonus: [usize; 2],
    /// The mean luck of a game in points, if it was computed.
    pub luck: Option<f64>,
    /// The number of mistakes and the index they add up to, by kind.
    pub kinds: Vec<KindTotal>,
}

/// The mistakes of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KindTotal {
    /// The kind.
    pub kind: MistakeKind,
    /// The number of mistakes.
    pub count: usize,
    /// The mistake index that they add up to.
    pub index: f64,
    /// The win probability that they lost, in percentage points.
    pub loss: f64,
}

/// A mistake in a list over many games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexedMistake {
    /// The place of the game in the list of games, from 0.
    pub game: usize,
    /// The number of the turn.
    pub turn: usize,
    /// The player.
    pub name: String,
    /// The move that was played, for people.
    pub played: String,
    /// The best move, for people.
    pub best: String,
    /// The class.
    pub class: MistakeClass,
    /// What the mistake was about.
    pub kind: Option<MistakeKind>,
    /// The win probability lost, in percentage points.
    pub loss: Option<f64>,
    /// The points lost.
    pub points_lost: Option<f64>,
}

/// A record that could not be reviewed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FailedRecord {
    /// The file or the entry of an archive.
    pub record: String,
    /// The reason, with the line if there is one.
    pub reason: String,
}
