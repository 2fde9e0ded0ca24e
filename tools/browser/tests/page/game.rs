//! Stepping through a game, candidates on the board, the graph, copying, labels.

use crate::{Shown, letters_of_class};
use browser::driver::key;
use browser::samples;

pub fn keys_and_buttons_step_through_the_game() {
    let shown = Shown::game(&samples::game());
    let count = samples::game().turns.len();
    let place = |turn: usize| format!("Turn {turn} of {count}");
    assert_eq!(shown.place(), place(1));
    let steps = [
        (key::RIGHT, 2),
        (key::RIGHT, 3),
        (key::LEFT, 2),
        (key::END, count),
        (key::RIGHT, count),
        (key::HOME, 1),
        (key::LEFT, 1),
    ];
    for (keys, turn) in steps {
        shown.press(keys);
        assert_eq!(shown.place(), place(turn), "{keys:?}");
        shown.assert(&format!("location.hash === '#turn={turn}' || {turn} === 1"));
    }
    for (button, turn) in [
        ("#forward", 2),
        ("#forward", 3),
        ("#back", 2),
        ("#last", count),
        ("#first", 1),
    ] {
        shown.click(button);
        assert_eq!(shown.place(), place(turn), "{button}");
    }
    shown.assert_silence();
}

pub fn the_board_shows_the_game_up_to_the_turn() {
    let document = samples::game();
    let shown = Shown::game(&document);
    let mut tiles = 0;
    for turn in &document.turns {
        tiles += turn.changes.len();
        let on_board = shown.text_of("document.querySelectorAll('.grid .tile').length");
        assert_eq!(on_board, tiles.to_string(), "turn {}", turn.number);
        let last: String = turn
            .changes
            .iter()
            .filter_map(|it| it.face.clone())
            .collect();
        let mut marked: Vec<char> = shown.text_of(&letters_of_class("last")).chars().collect();
        let mut last: Vec<char> = last.chars().collect();
        marked.sort_unstable();
        last.sort_unstable();
        assert_eq!(marked, last, "turn {}", turn.number);
        shown.press(key::RIGHT);
    }
}

pub fn graph_list_and_turning_points_lead_to_turns() {
    let document = samples::game();
    let shown = Shown::game(&document);
    let count = document.turns.len();
    // The drawing scrolls into view, and its middle is a turn in the middle of the game.
    let place = |part: f64| {
        let run = format!(
            "const svg = document.querySelector('.chart'); svg.scrollIntoView({{block: 'center', \
             behavior: 'instant'}}); const box = svg.getBoundingClientRect(); const left = 64, \
             right = 14; return [box.left + left + {part} * (box.width - left - right), \
             box.top + box.height / 2];"
        );
        let point = shown.browser.run(&run).unwrap();
        (point[0].as_f64().unwrap(), point[1].as_f64().unwrap())
    };
    for turn in [1, 9, count - 1] {
        let (x, y) = place(turn as f64 / count as f64);
        shown.browser.click_at(x, y).unwrap();
        assert_eq!(shown.place(), format!("Turn {turn} of {count}"));
    }
    shown.click("tr[data-turn='6'] .c-player");
    assert_eq!(shown.place(), format!("Turn 6 of {count}"));
    shown.assert("document.querySelector('tr[data-turn=\"6\"]').ariaCurrent === 'true'");
    shown.click("tr[data-turn='7'] a");
    assert_eq!(shown.place(), format!("Turn 7 of {count}"));
    let point = document.turning_points[0].turn;
    shown.click("#turning a");
    assert_eq!(shown.place(), format!("Turn {point} of {count}"));
    shown.assert("scrollY >= 0 && document.querySelector('#board').getBoundingClientRect().top < innerHeight");
}

pub fn the_fragment_of_the_address_names_the_turn() {
    let shown = Shown::game(&samples::game());
    let address = format!("{}#turn=11", shown.address);
    shown.browser.open(&address).unwrap();
    shown
        .browser
        .wait_for("document.querySelector('.where').textContent.startsWith('Turn 11 ')")
        .unwrap();
    shown.browser.run("location.hash = '#turn=4'").unwrap();
    shown
        .browser
        .wait_for("document.querySelector('.where').textContent.startsWith('Turn 4 ')")
        .unwrap();
    for bad in ["#turn=0", "#turn=999", "#turn=x", "#%%", "#turn=-1"] {
        shown
            .browser
            .run(&format!("location.hash = '{bad}'"))
            .unwrap();
        assert!(shown.place().starts_with("Turn 4 "), "{bad}");
    }
}

pub fn a_candidate_stands_on_the_board_as_a_ghost() {
    let document = samples::game();
    let shown = Shown::game(&document);
    shown.press(key::RIGHT);
    let turn = &document.turns[1];
    for (at, candidate) in turn.candidates.iter().enumerate() {
        shown.click(&format!("[data-candidate='{at}'] .move"));
        let ghosts = shown.text_of("document.querySelectorAll('.grid .ghost').length");
        assert_eq!(
            ghosts,
            candidate.changes.len().to_string(),
            "{}",
            candidate.text
        );
        shown.assert(&format!(
            "document.querySelector('[data-candidate=\"{at}\"] .move').ariaPressed === 'true'"
        ));
    }
    let before = document.turns[0].changes.len();
    let last = turn.candidates.last().unwrap().changes.len();
    let on_board = shown.text_of("document.querySelectorAll('.grid .tile').length");
    assert_eq!(on_board, (before + last).to_string());
    shown.press(key::ESCAPE);
    shown.assert("document.querySelectorAll('.grid .ghost').length === 0");
    shown.assert_silence();
}

pub fn replies_and_proved_lines_show_on_the_board() {
    let document = samples::game();
    let shown = Shown::game(&document);
    let reply = &document.turns[0].candidates[0].replies[0];
    shown.click("[data-candidate='0'] .move");
    shown.click("[data-reply='0']");
    let tiles = shown.text_of("document.querySelectorAll('.grid .reply').length");
    assert_eq!(tiles, reply.changes.len().to_string());
    let is_line = |turn: &&cazique::review::ReviewedTurn| turn.candidates[0].line.len() > 1;
    let turn = document.turns.iter().find(is_line).expect("a proved line");
    shown.click(&format!("tr[data-turn='{}'] a", turn.number));
    shown.click("[data-candidate='0'] .move");
    shown.click("[data-line='1']");
    shown.assert("document.querySelectorAll('.grid .reply').length > 0");
}

pub fn candidates_that_dropped_out_stand_apart() {
    let shown = Shown::game(&samples::game());
    let order = "[...document.querySelectorAll('.candidates tbody tr')].map((it) => \
        it.classList.contains('group') ? 'g' : it.classList.contains('dropped') ? 'd' : \
        'k').join('')";
    let order = shown.text_of(order);
    let (kept, dropped) = order.split_once('g').expect("a heading between them");
    assert!(
        !kept.is_empty() && kept.chars().all(|it| it == 'k'),
        "{order}"
    );
    assert!(
        !dropped.is_empty() && dropped.chars().all(|it| it == 'd'),
        "{order}"
    );
    shown.assert("document.querySelector('.candidate.dropped .tag.dropped') !== null");
    shown.assert("document.querySelectorAll('.is-played .tag.played').length === 1");
}

pub fn the_graph_has_a_second_view_and_both_sides() {
    let shown = Shown::game(&samples::game());
    let line = "document.querySelector('.chart .line').getAttribute('d')";
    let first = shown.text_of(line);
    shown.click(".choice[aria-label='Side'] button:nth-child(2)");
    let other = shown.text_of(line);
    shown.click(".choice[aria-label='View'] button:nth-child(2)");
    let spread = shown.text_of(line);
    assert!(first != other && other != spread && first.len() > 50);
    shown.assert("document.querySelector('.chart .band').getAttribute('d').length > 50");
    // The button that was pressed keeps the focus, although the graph was drawn anew.
    shown.assert("document.activeElement.textContent === 'Spread'");
}

pub fn marks_of_mistakes_differ_in_shape_and_word() {
    let shown = Shown::game(&samples::game());
    let shapes = "new Set(['small', 'medium', 'large'].map((it) => document.querySelector(\
        `.chart path.mark-${it}`).getAttribute('d'))).size";
    assert_eq!(shown.text_of(shapes), "3");
    for name in ["small", "medium", "large"] {
        let badge = format!("document.querySelector('.turn-list .class-{name}').textContent");
        assert_eq!(shown.text_of(&badge), name);
    }
}

pub fn copying_works_without_the_clipboard_of_the_browser() {
    let document = samples::game();
    let shown = Shown::game(&document);
    let refuse = "Object.defineProperty(navigator, 'clipboard', {value: undefined}); \
        window.copied = []; document.execCommand = () => { \
        window.copied.push(document.activeElement.value); return true; };";
    shown.browser.run(refuse).unwrap();
    shown.click("#copying .copy:nth-of-type(1) button");
    shown
        .browser
        .wait_for("document.querySelector('.copy-status').textContent === 'Copied'")
        .unwrap();
    assert_eq!(shown.text_of("window.copied[0]"), document.turns[0].cgp);
    shown
        .browser
        .run("document.execCommand = () => false;")
        .unwrap();
    shown.click("#copying .copy:nth-of-type(2) button");
    shown
        .browser
        .wait_for("document.querySelector('.copy code') !== null")
        .unwrap();
    let text = shown.text_of("document.querySelector('.copy code').textContent");
    assert_eq!(text, document.turns[0].command);
}

pub fn screen_readers_hear_the_turn_and_the_board() {
    let document = samples::game();
    let shown = Shown::game(&document);
    shown.press(key::RIGHT);
    let turn = &document.turns[1];
    let said = shown.text_of("document.querySelector('[aria-live]').textContent");
    assert!(
        said.starts_with("Turn 2 of ") && said.contains(&turn.played),
        "{said}"
    );
    let board = shown.text_of("document.querySelector('#board [role=group]').textContent");
    assert!(board.contains("Board after turn 2"), "{board}");
    assert!(board.contains("Row 9: G AGAPE."), "{board}");
    shown
        .assert("document.querySelector('.chart').getAttribute('aria-label').includes('turn 2: ')");
    let nameless = "[...document.querySelectorAll('button, a, input, select')].filter((it) => \
        !(it.textContent.trim() || it.ariaLabel || it.labels?.length)).length";
    assert_eq!(shown.text_of(nameless), "0");
}

pub fn everything_is_reached_and_used_by_keyboard() {
    let shown = Shown::game(&samples::game());
    let mut seen = 0;
    // One round of the tab key: each control takes the focus, and shows that it has it.
    for _ in 0..60 {
        shown.press(key::TAB);
        let ring = "(() => { const it = document.activeElement; if (it === document.body) return \
            'none'; const style = getComputedStyle(it); return it.matches(':focus-visible') && \
            style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 ? 'ring' : \
            it.outerHTML; })()";
        match shown.text_of(ring).as_str() {
            "none" => {}
            "ring" => seen += 1,
            other => panic!("no visible focus: {other}"),
        }
    }
    assert!(seen > 50, "{seen} controls");
    shown
        .browser
        .run("document.querySelector('#forward').focus()")
        .unwrap();
    shown.press(key::ENTER);
    shown.press(key::ENTER);
    assert!(shown.place().starts_with("Turn 3 "), "{}", shown.place());
    shown.assert("document.activeElement.id === 'forward'");
    shown
        .browser
        .run("document.querySelector('[data-candidate=\"1\"] .move').focus()")
        .unwrap();
    shown.press(key::ENTER);
    shown.assert("document.querySelectorAll('.grid .ghost').length > 0");
    shown.assert("document.activeElement.closest('[data-candidate=\"1\"]') !== null");
}
