//! Many games: the figures of each, totals, and all mistakes.

mod date;

use super::outputs::csv::CsvTable;
use super::{
    FORMAT_VERSION, FailedRecord, IndexTotal, IndexedGame, IndexedMistake, IndexedPlayer,
    KindTotal, MistakeClass, MistakeKind, ReviewDocument, ReviewIndex, ReviewedPlayer,
    ReviewedTurn, level,
};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use date::date_key;

/// The columns of the table of games.
pub(super) const INDEX_HEADER: [&str; 16] = [
    "record",
    "date",
    "title",
    "player",
    "opponent",
    "score",
    "opponent score",
    "won",
    "mistake index",
    "graded turns",
    "mean loss pp",
    "best share %",
    "luck points",
    "worst turn",
    "worst mistake",
    "page",
];

/// Collects the reviews of many games, without keeping the reviews themselves.
#[derive(Debug, Default)]
pub struct IndexBuilder {
    /// The player in question; all if empty.
    player: String,
    games: Vec<GameEntry>,
    failures: Vec<FailedRecord>,
}

/// A game with its share of the totals and its mistakes.
#[derive(Debug)]
struct GameEntry {
    game: IndexedGame,
    /// One for each row of the game.
    sums: Vec<PlayerSums>,
    mistakes: Vec<IndexedMistake>,
}

/// What the totals of a player are computed from.
#[derive(Clone, Debug, Default)]
struct PlayerSums {
    games: usize,
    won: f64,
    score: f64,
    spread: f64,
    index: f64,
    /// The number of games with graded turns, for the mean index.
    graded_games: usize,
    graded: usize,
    /// Sums over graded turns.
    loss: f64,
    best: f64,
    bonus: [usize; 2],
    luck: f64,
    luck_games: usize,
    kinds: BTreeMap<MistakeKind, KindTotal>,
}

/// Whether a player has this name or nickname, ignoring case.
pub fn is_named(player: &ReviewedPlayer, name: &str) -> bool {
    same_name(&player.name, name) || same_name(&player.nick, name)
}

/// Whether two names are the same but for case and spaces around them.
pub fn same_name(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}

impl IndexBuilder {
    /// An index of the games of a player, by name or nickname, or of all players if it is empty.
    pub fn new(player: &str) -> IndexBuilder {
        IndexBuilder {
            player: player.to_string(),
            ..IndexBuilder::default()
        }
    }

    /// Adds a game. `page` is where its page is, relative to the index. The order does not matter.
    pub fn add(&mut self, record: &str, page: &str, document: &ReviewDocument) {
        let is_asked =
            |player: &&ReviewedPlayer| self.player.is_empty() || is_named(player, &self.player);
        let players: Vec<&ReviewedPlayer> = document.players.iter().filter(is_asked).collect();
        if players.is_empty() {
            return;
        }
        let seats: Vec<usize> = players.iter().map(|player| player.seat).collect();
        let turns = document.turns.iter();
        let turns = turns.filter(|turn| seats.contains(&turn.seat));
        let mistakes = turns.filter(|turn| is_mistake(turn));
        let name = |seat| {
            let player = players.iter().find(|player| player.seat == seat);
            player.map_or("", |player| &player.name)
        };
        self.games.push(GameEntry {
            game: IndexedGame {
                record: record.to_string(),
                page: page.to_string(),
                title: document.title.clone(),
                date: document.date.clone(),
                rows: players.iter().map(|it| row(it, document)).collect(),
            },
            sums: players.iter().map(|it| sums(it, document)).collect(),
            mistakes: mistakes
                .map(|turn| mistake(turn, name(turn.seat)))
                .collect(),
        });
    }

    /// Adds a record that could not be reviewed.
    pub fn fail(&mut self, failure: FailedRecord) {
        self.failures.push(failure);
    }

    /// Adds the games of another index of the same player.
    pub fn merge(&mut self, other: IndexBuilder) {
        self.games.extend(other.games);
        self.failures.extend(other.failures);
    }

    /// The index: games by date, those without one after them by the name of the record.
    pub fn finish(mut self) -> ReviewIndex {
        self.games.sort_by(|a, b| {
            let key = |entry: &GameEntry| {
                let date = date_key(&entry.game.date);
                (date.is_none(), date, entry.game.record.clone())
            };
            key(a).cmp(&key(b))
        });
        self.failures
            .sort_by(|a, b| (&a.record, &a.reason).cmp(&(&b.record, &b.reason)));
        let mut totals: BTreeMap<String, (String, PlayerSums)> = BTreeMap::new();
        for (row, sums) in self.games.iter().flat_map(GameEntry::rows) {
            // Records may name the same player by full name or by nickname.
            let name = match self.player.is_empty() {
                true => &row.name,
                false => &self.player,
            };
            let total = totals.entry(name.trim().to_lowercase());
            let (_, total) = total.or_insert_with(|| (row.name.clone(), PlayerSums::default()));
            total.add(sums);
        }
        let mut totals: Vec<IndexTotal> = totals
            .into_values()
            .map(|(name, sums)| sums.total(name))
            .collect();
        totals.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        let mut mistakes = Vec::new();
        for (at, entry) in self.games.iter_mut().enumerate() {
            let of_game = entry.mistakes.drain(..);
            mistakes.extend(of_game.map(|mistake| IndexedMistake {
                game: at,
                ..mistake
            }));
        }
        mistakes.sort_by(most_costly_first);
        ReviewIndex {
            format: FORMAT_VERSION,
            player: self.player,
            games: self.games.into_iter().map(|entry| entry.game).collect(),
            totals,
            mistakes,
            failures: self.failures,
        }
    }
}

impl GameEntry {
    fn rows(&self) -> impl Iterator<Item = (&IndexedPlayer, &PlayerSums)> {
        self.game.rows.iter().zip(&self.sums)
    }
}

/// Whether a turn belongs in the list of mistakes.
fn is_mistake(turn: &ReviewedTurn) -> bool {
    turn.not_graded.is_none() && turn.class != MistakeClass::None
}

/// The order of mistakes: by class, by win probability lost, by points lost, then as they came.
fn most_costly_first(a: &IndexedMistake, b: &IndexedMistake) -> Ordering {
    let by = |a: Option<f64>, b: Option<f64>| b.unwrap_or(0.0).total_cmp(&a.unwrap_or(0.0));
    (b.class.cmp(&a.class))
        .then_with(|| by(a.loss, b.loss))
        .then_with(|| by(a.points_lost, b.points_lost))
        .then_with(|| (a.game, a.turn).cmp(&(b.game, b.turn)))
}

fn mistake(turn: &ReviewedTurn, name: &str) -> IndexedMistake {
    IndexedMistake {
        game: 0,
        turn: turn.number,
        name: name.to_string(),
        played: turn.played.clone(),
        best: turn.best.clone().unwrap_or_default(),
        class: turn.class,
        kind: turn.kind,
        loss: turn.loss.map(|loss| loss.value),
        points_lost: turn.points_lost.map(|points| points.value),
    }
}

/// The highest score of an opponent.
fn opponent_score(player: &ReviewedPlayer, document: &ReviewDocument) -> i32 {
    let others = document.players.iter().filter(|it| it.seat != player.seat);
    others.map(|it| it.score).max().unwrap_or(0)
}

fn row(player: &ReviewedPlayer, document: &ReviewDocument) -> IndexedPlayer {
    let others = document.players.iter().filter(|it| it.seat != player.seat);
    let others: Vec<&str> = others.map(|it| it.name.as_str()).collect();
    let own = |turn: &&ReviewedTurn| turn.seat == player.seat && is_mistake(turn);
    let mistakes = document.turns.iter().filter(own);
    let worst = mistakes.min_by(|a, b| most_costly_first(&mistake(a, ""), &mistake(b, "")));
    IndexedPlayer {
        name: player.name.clone(),
        opponent: others.join(", "),
        score: player.score,
        opponent_score: opponent_score(player, document),
        won: player.won,
        mistake_index: player.mistake_index,
        graded: player.graded,
        mean_loss: player.mean_loss.map(|loss| loss.value),
        best_share: player.best_share,
        luck: player.luck.map(|luck| luck.value),
        worst_turn: worst.map(|turn| turn.number),
        worst: worst.map(loss_text).unwrap_or_default(),
    }
}

/// What a turn lost, for people: in points where those decide its class.
pub fn loss_text(turn: &ReviewedTurn) -> String {
    match (turn.by_points, turn.loss, turn.points_lost) {
        (false, Some(loss), _) => format!("{:.1} %", loss.value.max(0.0)),
        (_, _, Some(points)) => format!("{:.1} points", points.value.max(0.0)),
        (_, Some(loss), None) => format!("{:.1} %", loss.value.max(0.0)),
        (_, None, None) => String::new(),
    }
}

fn sums(player: &ReviewedPlayer, document: &ReviewDocument) -> PlayerSums {
    let winners = document.players.iter().filter(|it| it.won == Some(true));
    let share = 1.0 / winners.count().max(1) as f64;
    let graded = player.graded as f64;
    let mut kinds: BTreeMap<MistakeKind, KindTotal> = BTreeMap::new();
    for turn in document
        .turns
        .iter()
        .filter(|turn| turn.seat == player.seat)
    {
        let Some(kind) = turn.kind.filter(|_| is_mistake(turn)) else {
            continue;
        };
        let total = kinds.entry(kind).or_insert(KindTotal::none(kind));
        total.count += 1;
        total.index += turn.index;
        total.loss += turn.loss.map_or(0.0, |loss| loss.value);
    }
    PlayerSums {
        games: 1,
        won: if player.won == Some(true) { share } else { 0.0 },
        score: player.score.into(),
        spread: f64::from(player.score - opponent_score(player, document)),
        index: player.mistake_index,
        graded_games: usize::from(player.graded > 0),
        graded: player.graded,
        loss: player.mean_loss.map_or(0.0, |loss| loss.value * graded),
        best: player.best_share.map_or(0.0, |share| share * graded),
        bonus: [player.bonus_found, player.bonus_available],
        luck: player.luck.map_or(0.0, |luck| luck.value),
        luck_games: usize::from(player.luck.is_some()),
        kinds,
    }
}

impl KindTotal {
    fn none(kind: MistakeKind) -> KindTotal {
        KindTotal {
            kind,
            count: 0,
            index: 0.0,
            loss: 0.0,
        }
    }
}

impl PlayerSums {
    fn add(&mut self, other: &PlayerSums) {
        self.games += other.games;
        self.won += other.won;
        self.score += other.score;
        self.spread += other.spread;
        self.index += other.index;
        self.graded_games += other.graded_games;
        self.graded += other.graded;
        self.loss += other.loss;
        self.best += other.best;
        self.bonus = [0, 1].map(|at| self.bonus[at] + other.bonus[at]);
        self.luck += other.luck;
        self.luck_games += other.luck_games;
        for (kind, more) in &other.kinds {
            let total = self.kinds.entry(*kind).or_insert(KindTotal::none(*kind));
            total.count += more.count;
            total.index += more.index;
            total.loss += more.loss;
        }
    }

    fn total(self, name: String) -> IndexTotal {
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        let games = self.games.max(1) as f64;
        let index = mean(self.index, self.graded_games);
        let mut kinds: Vec<KindTotal> = self.kinds.into_values().collect();
        kinds.sort_by(|a, b| b.index.total_cmp(&a.index).then(a.kind.cmp(&b.kind)));
        IndexTotal {
            name,
            games: self.games,
            won: self.won,
            mean_score: self.score / games,
            mean_spread: self.spread / games,
            mistake_index: index.unwrap_or(0.0),
            level: index.map(level),
            mean_loss: mean(self.loss, self.graded),
            best_share: mean(self.best, self.graded),
            bonus: self.bonus,
            luck: mean(self.luck, self.luck_games),
            kinds,
        }
    }
}

/// The games of an index as comma-separated values, with a header.
pub fn index_csv(index: &ReviewIndex) -> String {
    let mut table = CsvTable::new(&INDEX_HEADER);
    for (game, row) in index
        .games
        .iter()
        .flat_map(|game| game.rows.iter().map(move |row| (game, row)))
    {
        table.text(&game.record);
        table.text(&game.date);
        table.text(&game.title);
        table.text(&row.name);
        table.text(&row.opponent);
        table.figure(Some(row.score));
        table.figure(Some(row.opponent_score));
        table.text(match row.won {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        });
        table.decimal(Some(row.mistake_index));
        table.figure(Some(row.graded));
        table.decimal(row.mean_loss);
        table.decimal(row.best_share);
        table.decimal(row.luck);
        table.figure(row.worst_turn);
        table.text(&row.worst);
        table.text(&game.page);
        table.end_row();
    }
    table.finish()
}
