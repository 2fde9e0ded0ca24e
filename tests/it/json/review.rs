//! The mode `review`: one answer with a grade for each turn, then a summary of the game.

use super::schema::check_answer;
use super::{RECORD, Session, assert_has};
use serde_json::{Value, json};

/// The turns of [`RECORD`].
const TURNS: usize = 4;

fn query(threads: u64) -> Value {
    json!({
        "id": "q", "mode": "review", "gcg": RECORD, "iterations": 20, "threads": threads, "seed": 3,
    })
}

/// The answers of the turns by their number, and the summary.
fn review(query: &Value) -> (Vec<Value>, Value) {
    let mut session = Session::start();
    session.say(query);
    let mut turns: Vec<Value> = (0..TURNS).map(|_| session.next()).collect();
    turns.sort_by_key(|answer| answer["turn"].as_u64());
    let summary = session.next();
    assert_eq!(session.close(), [Value::Null; 0]);
    (turns, summary)
}

#[test]
fn each_turn_has_an_answer_with_its_grade_and_the_game_a_summary() {
    let (turns, summary) = review(&query(2));
    assert_has(
        &summary,
        &json!({"id": "q", "final": true, "terminated": false}),
    );
    let document = &summary["summary"];
    for (turn, answer) in turns.iter().enumerate() {
        check_answer(answer);
        assert_has(answer, &json!({"id": "q", "turn": turn, "final": true}));
        // The summary adds only what a turn alone does not tell.
        let (own, graded) = (&answer["review"], &document["turns"][turn]);
        assert_eq!(own, graded, "turn {turn}");
        assert_eq!(own["number"], turn + 1);
        let played = answer["played"].as_str().unwrap();
        assert_eq!(played.trim_start_matches("phony."), own["code"]);
        if own["notGraded"].is_null() {
            let mut candidates = own["candidates"].as_array().unwrap().iter();
            let found = candidates.find(|candidate| candidate["played"] == true);
            assert!(found.is_some(), "{own}");
        }
    }
    let graded = |field: &str| {
        let players = document["players"].as_array().unwrap().iter();
        players
            .map(|player| player[field].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(graded("graded") + graded("notGraded"), TURNS as u64);
}

#[test]
fn a_review_does_not_depend_on_the_number_of_threads() {
    let (_, one) = review(&query(1));
    let (_, three) = review(&query(3));
    assert_eq!(one, three);
}

#[test]
fn a_review_that_is_terminated_answers_every_turn_and_has_no_summary() {
    let mut session = Session::start();
    let mut endless = query(1);
    endless["iterations"] = json!(1_000_000_000);
    session.say(&endless);
    let mut waiting = query(1);
    waiting["id"] = json!("w");
    session.say(&waiting);
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "w"}));
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "q"}));
    let mut answers = Vec::new();
    while answers
        .iter()
        .filter(|answer: &&Value| answer.get("summary").is_some())
        .count()
        < 2
    {
        answers.push(session.next());
    }
    let ended = |id: &str| {
        let of_query = answers.iter().filter(|answer| answer["id"] == id);
        let ended = of_query.filter(|answer| answer["terminated"] == true);
        ended.count()
    };
    // The turns and the summary; a review that has not begun has no turns.
    assert_eq!((ended("q"), ended("w")), (TURNS + 1, 1));
    assert_eq!(session.close(), [Value::Null; 0]);
}

#[test]
fn what_a_review_cannot_use_is_refused_or_named() {
    let mut session = Session::start();
    for (fields, error) in [
        (
            json!({}),
            "gcg is missing: the mode review needs a game record",
        ),
        (json!({"gcg": 7}), "gcg is 7, it must be a text"),
        (
            json!({"gcg": RECORD, "iterations": 0}),
            "iterations is '0', it must be a whole number from 1 to 1000000000",
        ),
        (
            json!({"gcg": RECORD, "luck": 1}),
            "luck is 1, it must be true or false",
        ),
        (
            json!({"gcg": "#player1 a A\n#player2 b B\n>a: AB 8H QQ +1 1\n"}),
            "line 3: the play needs QQ, the rack AB lacks them",
        ),
    ] {
        let mut query = json!({"id": "q", "mode": "review"});
        for (name, value) in fields.as_object().unwrap() {
            query[name.as_str()] = value.clone();
        }
        let answer = session.ask(&query);
        let text = answer["error"]["text"].as_str().unwrap_or_default();
        assert!(
            text.starts_with(error.split(": the play").next().unwrap()),
            "{answer}"
        );
    }
    let mut other = query(1);
    (other["turns"], other["plies"]) = (json!([0]), json!(3));
    session.say(&other);
    let named = json!([
        "plies has no effect in the mode review",
        "turns has no effect in the mode review"
    ]);
    let last = (0..=TURNS).map(|_| session.next()).last().unwrap();
    assert_eq!(last["warnings"], named);
    let plain = session.ask(&json!({"id": "p", "mode": "gen", "rack": "A", "luck": true}));
    let text = json!("luck has an effect in the mode review only");
    assert!(
        plain["warnings"].as_array().unwrap().contains(&text),
        "{plain}"
    );
    assert_eq!(session.close(), [Value::Null; 0]);
}
