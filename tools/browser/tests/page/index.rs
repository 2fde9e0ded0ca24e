//! The index of many games.

use crate::Shown;
use browser::samples;

pub fn links_lead_to_games_and_turns() {
    let index = samples::index();
    let shown = Shown::index(&index);
    let links = "[...document.links].map((it) => it.getAttribute('href')).join(' ')";
    let links = shown.text_of(links);
    for (at, game) in index.games.iter().enumerate() {
        let page = game.page.replace(' ', "%20");
        let worst = game.rows[0].worst_turn.unwrap();
        assert!(links.contains(&format!("./{page} ")), "game {at}: {links}");
        assert!(
            links.contains(&format!("./{page}#turn={worst}")),
            "game {at}: {links}"
        );
    }
    for mistake in &index.mistakes {
        let page = index.games[mistake.game].page.replace(' ', "%20");
        assert!(
            links.contains(&format!("./{page}#turn={}", mistake.turn)),
            "{links}"
        );
    }
    shown.write("round 2.html", "the second game");
    shown.click("tbody tr:nth-child(2) a");
    shown
        .browser
        .wait_for("location.href.endsWith('/round%202.html')")
        .unwrap();
}

pub fn columns_sort_both_ways() {
    let index = samples::index();
    let shown = Shown::index(&index);
    let order = "[...document.querySelectorAll('.games tbody tr')].map((it) => \
        it.dataset.game).join(' ')";
    let column = "document.querySelector('[data-key=index]').closest('th').ariaSort";
    let mut games: Vec<usize> = (0..index.games.len()).collect();
    let figure = |at: &usize| index.games[*at].rows[0].mistake_index;
    games.sort_by(|a, b| figure(a).total_cmp(&figure(b)));
    let expected = |games: &[usize]| {
        let numbers = games.iter().map(|at| (at + 1).to_string());
        numbers.collect::<Vec<String>>().join(" ")
    };
    shown.click("[data-key=index]");
    assert_eq!(shown.text_of(column), "ascending");
    assert_eq!(shown.text_of(order), expected(&games));
    shown.assert("document.activeElement.dataset.key === 'index'");
    shown.click("[data-key=index]");
    assert_eq!(shown.text_of(column), "descending");
    games.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
    assert_eq!(shown.text_of(order), expected(&games));
    shown.click("[data-key=opponent]");
    let opponents = "[...document.querySelectorAll('.games td.c-opponent')].map((it) => \
        it.textContent)";
    shown.assert(&format!(
        "(({opponents})).every((it, at, all) => at === 0 || all[at - 1] <= it)"
    ));
    shown.assert_silence();
}

pub fn totals_trend_kinds_and_failures_are_there() {
    let index = samples::index();
    let shown = Shown::index(&index);
    let text = shown.text_of("document.body.innerText");
    for expected in [
        "7.5 of 12",
        "18 of 25",
        "missed bonus play",
        "broken.gcg",
        "line 7",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    shown.assert("document.querySelectorAll('.chart .line').length === 2");
    shown.assert("document.querySelectorAll('#kinds details').length === 6");
}

pub fn an_index_of_several_players_names_them() {
    let mut index = samples::index();
    index.player = String::new();
    let shown = Shown::index(&index);
    shown.assert("document.querySelector('.games td.c-name').textContent === 'Alder'");
}
