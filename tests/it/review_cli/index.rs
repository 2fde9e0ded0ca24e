//! The index of many games.

use cazique::review::{
    IndexBuilder, MistakeClass, MistakeKind, ReviewDocument, ReviewFigure, ReviewedPlayer,
    ReviewedTurn, index_csv, turns_csv,
};

fn figure(value: f64) -> Option<ReviewFigure> {
    let error = None;
    Some(ReviewFigure { value, error })
}

fn player(seat: usize, name: &str, score: i32, won: bool, graded: usize) -> ReviewedPlayer {
    ReviewedPlayer {
        seat,
        name: name.to_string(),
        nick: name.to_lowercase(),
        score,
        won: Some(won),
        mistake_index: graded as f64 / 10.0,
        graded,
        mean_loss: figure(graded as f64),
        best_share: Some(50.0),
        bonus_found: 1,
        bonus_available: 2,
        luck: figure(3.0),
        ..ReviewedPlayer::default()
    }
}

fn mistake(number: usize, seat: usize, loss: f64, class: MistakeClass) -> ReviewedTurn {
    ReviewedTurn {
        number,
        seat,
        played: "8D FOO".to_string(),
        best: Some("8D FOOD".to_string()),
        loss: figure(loss),
        class,
        index: 0.5,
        kind: Some(MistakeKind::Score),
        ..ReviewedTurn::default()
    }
}

/// A game of Ann against somebody.
fn game(date: &str, opponent: &str, scores: [i32; 2]) -> ReviewDocument {
    ReviewDocument {
        date: date.to_string(),
        players: vec![
            player(1, "Ann", scores[0], scores[0] >= scores[1], 10),
            player(2, opponent, scores[1], scores[1] >= scores[0], 0),
        ],
        turns: vec![
            mistake(1, 1, 2.0, MistakeClass::Small),
            mistake(2, 2, 9.0, MistakeClass::Large),
            mistake(3, 1, 5.0, MistakeClass::Medium),
            mistake(5, 1, 0.1, MistakeClass::None),
        ],
        ..ReviewDocument::default()
    }
}

fn index(player: &str, games: &[(&str, ReviewDocument)]) -> IndexBuilder {
    let mut index = IndexBuilder::new(player);
    for (record, document) in games {
        index.add(record, &format!("{record}.html"), document);
    }
    index
}

#[test]
fn games_come_by_date_and_then_by_name() {
    let games = [
        ("d", game("", "Bob", [1, 2])),
        ("c", game("someday", "Bob", [1, 2])),
        ("b", game("2025-03-10", "Bob", [1, 2])),
        ("a", game("2025/4/1", "Bob", [1, 2])),
    ];
    let index = index("", &games).finish();
    let records: Vec<&str> = index
        .games
        .iter()
        .map(|game| game.record.as_str())
        .collect();
    assert_eq!(records, ["b", "a", "c", "d"]);
    // A mistake names the place of its game in this order.
    let place = index.mistakes.iter().map(|mistake| mistake.game).max();
    assert_eq!(place, Some(3));
}

#[test]
fn a_named_player_gets_rows_and_mistakes_alone() {
    let games = [
        ("a", game("", "Bob", [300, 200])),
        ("b", game("", "Cid", [250, 250])),
        ("c", game("", "Dan", [100, 200])),
    ];
    let index = index(" aNN ", &games).finish();
    let rows: Vec<(&str, &str, Option<usize>)> = index
        .games
        .iter()
        .flat_map(|game| &game.rows)
        .map(|row| (row.opponent.as_str(), row.worst.as_str(), row.worst_turn))
        .collect();
    let worst = "5.0 %";
    assert_eq!(
        rows,
        [
            ("Bob", worst, Some(3)),
            ("Cid", worst, Some(3)),
            ("Dan", worst, Some(3))
        ]
    );
    assert!(index.mistakes.iter().all(|mistake| mistake.name == "Ann"));
    let losses: Vec<Option<f64>> = index.mistakes.iter().map(|mistake| mistake.loss).collect();
    assert_eq!(losses, [5.0, 5.0, 5.0, 2.0, 2.0, 2.0].map(Some));
    let [total] = &index.totals[..] else {
        panic!("{:?}", index.totals)
    };
    assert_eq!((total.games, total.won, total.bonus), (3, 1.5, [3, 6]));
    assert_eq!((total.mean_score, total.mean_spread), (650.0 / 3.0, 0.0));
    assert_eq!((total.mistake_index, total.level), (1.0, Some(2125)));
    assert_eq!(
        (total.mean_loss, total.best_share, total.luck),
        (Some(10.0), Some(50.0), Some(3.0))
    );
    let kinds: Vec<_> = total
        .kinds
        .iter()
        .map(|kind| (kind.kind, kind.count, kind.loss))
        .collect();
    assert_eq!(kinds, [(MistakeKind::Score, 6, 21.0)]);
}

#[test]
fn without_a_name_every_player_counts() {
    let games = [
        ("a", game("", "Bob", [300, 200])),
        ("b", game("", "BOB", [250, 250])),
    ];
    let index = index("", &games).finish();
    let totals = index
        .totals
        .iter()
        .map(|total| (total.name.as_str(), total.games));
    assert_eq!(totals.collect::<Vec<_>>(), [("Ann", 2), ("Bob", 2)]);
    assert_eq!(index.totals[1].level, None, "no turn of Bob was graded");
    assert_eq!(index.mistakes[0].class, MistakeClass::Large);
}

#[test]
fn the_order_of_adding_changes_nothing() {
    let games = [
        ("a", game("2025-01-02", "Bob", [300, 200])),
        ("b", game("2025-01-01", "Cid", [250, 250])),
    ];
    let mut reversed = index("ann", &games[1..]);
    reversed.merge(index("ann", &games[..1]));
    assert_eq!(index("ann", &games).finish(), reversed.finish());
}

#[test]
fn tables_are_safe_to_open_in_a_spreadsheet() {
    let mut document = game(
        "2025-01-01",
        "=HYPERLINK(\"http://example.org\")",
        [300, -200],
    );
    document.title = "+1, \"finals\"\nround 2".to_string();
    document.players[0].name = "@SUM(A1)".to_string();
    document.turns[0].played = "-QV".to_string();
    document.turns[0].rack = ["=", "A", "1"].map(String::from).to_vec();
    let tables = [
        index_csv(&index("", &[("-r.gcg", document.clone())]).finish()),
        turns_csv(&document),
    ];
    for table in tables {
        let cells = cells(&table);
        assert!(cells.len() > 20);
        for cell in &cells {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(
                is_number || !cell.starts_with(['=', '+', '-', '@']),
                "{cell}"
            );
        }
    }
}

/// The cells of a table by RFC 4180.
fn cells(table: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut signs = table.chars().peekable();
    while let Some(sign) = signs.next() {
        match (quoted, sign) {
            (true, '"') if signs.peek() == Some(&'"') => cell.extend(signs.next()),
            (_, '"') => quoted = !quoted,
            (false, ',' | '\n') => cells.push(std::mem::take(&mut cell)),
            (false, '\r') => {}
            (_, sign) => cell.push(sign),
        }
    }
    assert!(!quoted && cell.is_empty());
    cells
}
