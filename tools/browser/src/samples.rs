//! Reviews with everything that a page must show.

use cazique::review::{
    FailedRecord, FrequentReply, IndexTotal, IndexedGame, IndexedMistake, IndexedPlayer, KindTotal,
    LetterValue, MistakeClass, MistakeKind, NotGraded, ReviewBoard, ReviewDocument, ReviewFigure,
    ReviewIndex, ReviewedDraws, ReviewedMove, ReviewedPlayer, ReviewedTurn, SquareTile,
    TurningPoint,
};

/// A text that must never run, nor end the element that it stands in.
pub const HOSTILE: &str = "<script>window.hacked = 1</script></script><img src=x \
    onerror='window.hacked=2'>\"'--><!-- javascript:window.hacked=3 {{script}} \u{2028}";

/// The review of a game of 23 turns with planted mistakes, found by a short search.
pub fn game() -> ReviewDocument {
    serde_json::from_str(include_str!("../samples/game.json")).expect("the sample is a review")
}

/// The same with a hostile text in every field that a record can fill.
pub fn hostile_game() -> ReviewDocument {
    let mut game = game();
    let hostile = || HOSTILE.to_string();
    game.title = hostile();
    game.date = hostile();
    game.description = hostile();
    game.result = hostile();
    game.findings = vec![hostile()];
    game.provenance.lexicon = hostile();
    for player in &mut game.players {
        (player.name, player.nick) = (hostile(), hostile());
    }
    for point in &mut game.turning_points {
        point.text = hostile();
    }
    for turn in &mut game.turns {
        turn.notes = vec![hostile()];
        turn.phonies = vec![hostile()];
        turn.missed_challenge = vec![hostile()];
        (turn.played, turn.explanation) = (hostile(), hostile());
        (turn.cgp, turn.command) = (hostile(), hostile());
        turn.best = Some(hostile());
        turn.rack[0] = hostile();
        turn.drawn = vec![hostile()];
        turn.unseen[0].0 = hostile();
        for candidate in &mut turn.candidates {
            (candidate.text, candidate.line) = (hostile(), vec![hostile()]);
            candidate.leave = vec![hostile()];
        }
    }
    game.board.letters[0].face = hostile();
    if let Some(tile) = game.turns[0].changes.first_mut() {
        tile.face = Some(hostile());
    }
    game
}

/// The number of rows of the largest board.
const LARGE_SIDE: usize = 21;

/// Words of the sample with four players; capitals in brackets are one tile.
const LARGE_WORDS: [&[&str]; 12] = [
    &["CH", "A", "R", "LL", "A", "R"],
    &["P", "E", "RR", "O", "S"],
    &["Q", "U", "E", "S", "O", "S"],
    &["LL", "U", "V", "I", "A"],
    &["G", "A", "RR", "A"],
    &["CH", "I", "CH", "A"],
    &["Z", "O", "RR", "O"],
    &["M", "U", "CH", "O"],
    &["C", "A", "LL", "E"],
    &["T", "I", "E", "RR", "A"],
    &["N", "O", "CH", "E"],
    &["B", "E", "LL", "A"],
];

/// A game of four players on 21 rows with digraph tiles, phonies, a play that came off, and racks
/// that are not known.
pub fn large_game() -> ReviewDocument {
    let words = LARGE_WORDS.iter().enumerate();
    let mut scores = vec![0; 4];
    let turns = words.map(|(at, word)| {
        let seat = at % 4;
        scores[seat] += 20 + at as i32;
        large_turn(at, word, scores.clone())
    });
    let turns: Vec<ReviewedTurn> = turns.collect();
    let player = |seat: usize| ReviewedPlayer {
        seat: seat + 1,
        name: format!("Player with a rather long name {}", seat + 1),
        nick: format!("p{}", seat + 1),
        score: turns[turns.len() - 4 + seat].scores[seat],
        won: Some(seat == 3),
        mistake_index: 1.2,
        level: Some(2100),
        graded: 2,
        not_graded: 1,
        mean_loss: figure(2.1, 0.4),
        best_share: Some(66.0),
        mistakes: [1, 1, 1],
        ..ReviewedPlayer::default()
    };
    ReviewDocument {
        format: 1,
        title: "Four players on the large board".to_string(),
        players: (0..4).map(player).collect(),
        board: large_board(),
        turning_points: vec![TurningPoint {
            turn: 3,
            swing: 9.0,
            text: "A sentence that is long enough for a second line on any screen".to_string(),
        }],
        result: "Player 4 wins by 4".to_string(),
        turns,
        ..ReviewDocument::default()
    }
}

fn large_board() -> ReviewBoard {
    let faces = "A B C CH D E G I L LL M N O P Q R RR S T U V Z";
    let letter = |face: &str| LetterValue {
        letter: match face.len() {
            1 => face.to_string(),
            _ => format!("[{face}]"),
        },
        face: face.to_string(),
        value: 1 + face.len() as i32,
    };
    let names = ["4W", "", "", "2L", "", "3L", "", "2W", "", "3W", "4L"];
    let premium = |square: usize| {
        let (row, column) = (square / LARGE_SIDE, square % LARGE_SIDE);
        let near = |at: usize| at.min(LARGE_SIDE - 1 - at);
        match near(row) == near(column) || near(row) == 3 {
            true => names[near(column)].to_string(),
            false => String::new(),
        }
    };
    ReviewBoard {
        side: LARGE_SIDE,
        premiums: (0..LARGE_SIDE * LARGE_SIDE).map(premium).collect(),
        start: Some(LARGE_SIDE * LARGE_SIDE / 2),
        letters: faces.split(' ').map(letter).collect(),
        tiles: Vec::new(),
    }
}

fn large_turn(at: usize, word: &[&str], scores: Vec<i32>) -> ReviewedTurn {
    let row = at + 4;
    let changes = |column: usize| -> Vec<SquareTile> {
        let tile = |(place, face): (usize, &&str)| SquareTile {
            square: row * LARGE_SIDE + column + place,
            face: Some((*face).to_string()),
            value: if place == 1 { 0 } else { 1 + face.len() as i32 },
            blank: place == 1,
        };
        word.iter().enumerate().map(tile).collect()
    };
    let written: String = word.concat();
    let candidate = |column: usize| large_move(at, column, &written, changes(column));
    let classes = [
        MistakeClass::None,
        MistakeClass::Small,
        MistakeClass::Medium,
        MistakeClass::Large,
    ];
    let not_graded = [NotGraded::SampledRack, NotGraded::UnknownRack];
    ReviewedTurn {
        number: at + 1,
        seat: at % 4 + 1,
        rack: word.iter().map(|face| (*face).to_string()).collect(),
        unknown: if at > 9 { 2 } else { 0 },
        played: candidate(5).text,
        code: candidate(5).code,
        points: 20 + at as i32,
        changes: changes(5),
        came_off: at == 6,
        phonies: if at == 6 {
            vec![written.clone()]
        } else {
            Vec::new()
        },
        scores,
        bag: 150 - 5 * at,
        unseen: vec![
            ("A".to_string(), 11),
            ("CH".to_string(), 2),
            ("?".to_string(), 2),
        ],
        cgp: "21/21".to_string(),
        command: "cazique".to_string(),
        not_graded: at.checked_sub(10).map(|at| not_graded[at % 2]),
        best: Some(candidate(4).text),
        win_best: figure(36.0, 0.7),
        win: figure(35.0 + (at % 5) as f64, 0.7),
        loss: figure(1.0, 1.0),
        class: classes[at / 2 % 4],
        candidates: [4, 5, 6].map(candidate).to_vec(),
        explanation: "An explanation.".to_string(),
        ..ReviewedTurn::default()
    }
}

fn large_move(at: usize, column: usize, written: &str, changes: Vec<SquareTile>) -> ReviewedMove {
    let row = at + 4;
    ReviewedMove {
        text: format!("{}{} {written}", row + 1, char::from(b'A' + column as u8)),
        code: format!("{}{}.{written}", row + 1, char::from(b'A' + column as u8)),
        points: 20 + at as i32,
        leave: vec!["CH".to_string(), "E".to_string()],
        equity: 24.25,
        win: figure(40.0 - column as f64, 0.7),
        gain: figure(12.0, 3.0),
        loss: figure(column as f64 - 4.0, 1.0),
        iterations: 400,
        valid: column != 6,
        played: column == 5,
        changes,
        draws: (at == 11).then(|| ReviewedDraws {
            won: vec!["A".to_string(), "LL (2)".to_string()],
            drawn: vec!["E".to_string()],
            lost: vec!["CH".to_string()],
            mixed: vec!["O".to_string()],
            open: 2,
        }),
        replies: vec![FrequentReply {
            text: "T3 LARGAS".to_string(),
            percent: 7.5,
            points: 31,
            changes: Vec::new(),
        }],
        ..ReviewedMove::default()
    }
}

fn figure(value: f64, error: f64) -> Option<ReviewFigure> {
    Some(ReviewFigure {
        value,
        error: Some(error),
    })
}

/// The number of games of the sample index.
const INDEX_GAMES: usize = 12;

/// An index of games of one player, with mistakes of each kind and a record that failed.
pub fn index() -> ReviewIndex {
    let kinds = [
        MistakeKind::MissedBonus,
        MistakeKind::Score,
        MistakeKind::Leave,
        MistakeKind::Opening,
        MistakeKind::Endgame,
        MistakeKind::Phony,
    ];
    let mistake = |at: usize| IndexedMistake {
        game: at % INDEX_GAMES,
        turn: at % 11 + 1,
        name: "Alder".to_string(),
        played: "J9 SERVE".to_string(),
        best: "4D FORPET".to_string(),
        class: [
            MistakeClass::Large,
            MistakeClass::Medium,
            MistakeClass::Small,
        ][at / 6 % 3],
        kind: Some(kinds[at % 6]),
        loss: (at % 6 != 4).then_some(12.0 - at as f64 * 0.5),
        points_lost: Some(14.0),
    };
    let kind_total = |kind: MistakeKind| KindTotal {
        kind,
        count: 4,
        index: 2.0,
        loss: 11.0,
    };
    ReviewIndex {
        format: 1,
        player: "Alder".to_string(),
        games: (0..INDEX_GAMES).map(indexed_game).collect(),
        totals: vec![IndexTotal {
            name: "Alder".to_string(),
            games: INDEX_GAMES,
            won: 7.5,
            mean_score: 421.0,
            mean_spread: 12.0,
            mistake_index: 2.35,
            level: Some(1900),
            mean_loss: Some(1.93),
            best_share: Some(61.0),
            bonus: [18, 25],
            luck: Some(-2.4),
            kinds: kinds.map(kind_total).to_vec(),
        }],
        mistakes: (0..18).map(mistake).collect(),
        failures: vec![FailedRecord {
            record: "broken.gcg".to_string(),
            reason: "line 7: this is not a move".to_string(),
        }],
    }
}

fn indexed_game(at: usize) -> IndexedGame {
    IndexedGame {
        record: format!("round{}.gcg", at + 1),
        page: format!("round {}.html", at + 1),
        title: format!("Round {}", at + 1),
        date: format!("2026-{:02}-14", at + 1),
        rows: vec![IndexedPlayer {
            name: "Alder".to_string(),
            opponent: ["Birch", "Cedar", "Dogwood"][at % 3].to_string(),
            score: 380 + (at as i32 * 37) % 90,
            opponent_score: 390 + (at as i32 * 53) % 70,
            won: if at == 4 { None } else { Some(at % 3 != 1) },
            mistake_index: 3.4 - 0.2 * at as f64 + (at % 3) as f64 * 0.5,
            graded: 12,
            mean_loss: Some(1.5 + (at % 4) as f64 * 0.3),
            best_share: Some(50.0 + 2.0 * at as f64),
            luck: Some(-3.5),
            worst_turn: Some(at + 2),
            worst: format!("{}.5 % with 8D QUIZ", at + 3),
        }],
    }
}

/// The same with a hostile text in every field that a record can fill.
pub fn hostile_index() -> ReviewIndex {
    let mut index = index();
    let hostile = || HOSTILE.to_string();
    for game in &mut index.games {
        (game.record, game.title, game.date) = (hostile(), hostile(), hostile());
        game.page = "javascript:window.hacked=4//".to_string();
        for row in &mut game.rows {
            (row.name, row.opponent, row.worst) = (hostile(), hostile(), hostile());
        }
    }
    for mistake in &mut index.mistakes {
        (mistake.name, mistake.played, mistake.best) = (hostile(), hostile(), hostile());
    }
    index.totals[0].name = hostile();
    index.failures[0].reason = hostile();
    index.player = hostile();
    index
}
