//! Find it yourself: the answer is hidden until there is one.

use crate::Shown;
use browser::driver::key;
use browser::samples;
use cazique::review::{MistakeClass, ReviewDocument, ReviewedTurn};

/// The mistakes of a seat that can be practised.
fn mistakes(document: &ReviewDocument, seat: usize) -> Vec<&ReviewedTurn> {
    let turns = document.turns.iter();
    let is_mistake = |turn: &&ReviewedTurn| {
        turn.seat == seat && turn.class != MistakeClass::None && !turn.candidates[0].played
    };
    turns.filter(is_mistake).collect()
}

/// The whole page as text without its data and scripts, with all attributes.
const MARKUP: &str = "(() => { const copy = document.documentElement.cloneNode(true); for (const \
    it of copy.querySelectorAll('script, style')) it.remove(); return copy.outerHTML; })()";

/// The same without the candidates to choose from.
const MARKUP_WITHOUT_CHOICES: &str = "(() => { const copy = \
    document.documentElement.cloneNode(true); for (const it of copy.querySelectorAll('script, \
    style, .choices')) it.remove(); return copy.outerHTML; })()";

#[track_caller]
fn assert_hidden(shown: &Shown, turn: &ReviewedTurn) {
    let rest = shown.text_of(MARKUP_WITHOUT_CHOICES);
    for candidate in &turn.candidates {
        assert!(
            !rest.contains(&candidate.text),
            "{} is told",
            candidate.text
        );
    }
    let markup = shown.text_of(MARKUP);
    let told = [
        turn.explanation.as_str(),
        "class-small",
        "class-medium",
        "class-large",
        "Turning points",
        "data-name=\"Best move\"",
        "tag played",
        "is-played",
        "<path class=\"line",
        "tr data-turn",
    ];
    for text in told {
        assert!(
            !markup.contains(text),
            "turn {}: {text} is told",
            turn.number
        );
    }
    for tile in &turn.changes {
        shown.assert(&format!(
            "document.querySelector('[data-square=\"{}\"] .tile') === null",
            tile.square
        ));
    }
    // No choice differs from the others but by its text and its number.
    shown.assert(
        "new Set([...document.querySelectorAll('.choices button')].map((it) => { const copy = \
         it.cloneNode(true); copy.textContent = ''; copy.removeAttribute('data-choice'); return \
         copy.outerHTML; })).size === 1",
    );
    let hash = shown.text_of("location.hash + document.title");
    assert!(!hash.contains(&turn.played), "{hash}");
}

pub fn all_mistakes_are_asked_and_their_answers_hidden() {
    let document = samples::game();
    let shown = Shown::game(&document);
    for seat in [1, 2] {
        let turns = mistakes(&document, seat);
        assert!(turns.len() >= 3);
        shown.click(&format!("[data-find='{seat}']"));
        for (at, turn) in turns.iter().enumerate() {
            let heading = shown.text_of("document.querySelector('#question').textContent");
            assert!(
                heading.contains(&format!("turn {} ", turn.number)),
                "{heading}"
            );
            assert_hidden(&shown, turn);
            // Keys that step through the game would show it.
            shown.press(key::RIGHT);
            assert_hidden(&shown, turn);
            shown.click(&format!("[data-choice='{}']", at % turn.candidates.len()));
            shown.assert("document.querySelectorAll('[aria-pressed=true]').length === 1");
            shown.click("#check");
            let answer = shown.text_of("document.querySelector('.answer').textContent");
            let text = &turn.candidates[at % turn.candidates.len()].text;
            assert!(answer.contains(text.as_str()), "{answer}");
            shown.assert("document.querySelectorAll('.candidates .is-played').length === 1");
            shown.click("#next");
        }
        shown.assert("document.querySelector('.chart .line') !== null");
        shown.assert("document.querySelectorAll('tr[data-turn]').length > 10");
    }
    shown.assert_silence();
}

/// Starts with the first mistake of a seat.
fn first_mistake(document: &ReviewDocument, seat: usize) -> (Shown, &ReviewedTurn) {
    let shown = Shown::game(document);
    shown.click(&format!("[data-find='{seat}']"));
    (shown, mistakes(document, seat)[0])
}

fn type_move(shown: &Shown, text: &str) {
    shown
        .browser
        .run("const field = document.querySelector('#typed'); field.value = ''; field.focus();")
        .unwrap();
    shown.press(text);
    shown.press(key::ENTER);
}

pub fn a_typed_candidate_is_compared() {
    let document = samples::game();
    let (shown, turn) = first_mistake(&document, 1);
    let best = &turn.candidates[0];
    type_move(&shown, &best.text.to_lowercase());
    shown.assert("document.querySelectorAll('.grid .ghost').length > 0");
    shown.click("#check");
    let answer = shown.text_of("document.querySelector('.answer').textContent");
    assert!(
        answer.contains(&format!("{} is the best move", best.text)),
        "{answer}"
    );
    shown.assert("document.querySelector('.answer.found') !== null");
}

pub fn a_typed_move_that_was_not_analysed_gets_its_command() {
    let document = samples::game();
    let (shown, turn) = first_mistake(&document, 1);
    let tiles = turn.rack.iter().take(2).cloned().collect::<String>();
    type_move(&shown, &format!("exchange {tiles}"));
    shown.click("#check");
    let answer = shown.text_of("document.querySelector('.answer').textContent");
    assert!(answer.contains("was not analysed"), "{answer}");
    let command = shown.text_of("document.querySelector('.answer .command').textContent");
    let moves = format!("alsosearchmoves ex.{tiles} {}", turn.candidates[0].code);
    assert!(
        command.contains(&turn.cgp) && command.contains(&moves),
        "{command}"
    );
}

pub fn a_typed_move_that_cannot_be_made_says_why() {
    let document = samples::game();
    let (shown, turn) = first_mistake(&document, 1);
    let missing = ["Q", "X", "K"]
        .into_iter()
        .find(|it| !turn.rack.contains(&it.to_string()));
    let cases = [
        ("flying".to_string(), "Write a move as"),
        ("99A AB".to_string(), "not on the board"),
        ("1N ABCDE".to_string(), "does not fit"),
        (format!("1A {0}{0}", missing.unwrap()), "rack does not have"),
        ("1A .".to_string(), "dot stands for"),
        ("8F XX".to_string(), "another tile"),
    ];
    for (text, reason) in cases {
        type_move(&shown, &text);
        let problem = shown.text_of("document.querySelector('.problem')?.textContent ?? ''");
        assert!(problem.contains(reason), "{text}: {problem}");
        shown.assert("document.querySelector('#check').disabled");
    }
}

pub fn the_answer_can_be_asked_for_and_the_mode_left() {
    let document = samples::game();
    let (shown, turn) = first_mistake(&document, 2);
    shown.click("#give-up");
    let answer = shown.text_of("document.querySelector('.answer').textContent");
    assert!(answer.contains(&turn.candidates[0].text), "{answer}");
    shown.assert("document.querySelector('.answer.found') === null");
    shown.click("#leave");
    let place = shown.place();
    assert!(
        place.starts_with(&format!("Turn {} ", turn.number)),
        "{place}"
    );
    shown.assert("document.querySelector('.choices') === null");
}
