//! Texts of a record run nothing, and nothing leaves the page.

use crate::Shown;
use browser::driver::key;
use browser::samples;

#[track_caller]
fn assert_harmless(shown: &Shown) {
    shown.assert("window.hacked === undefined");
    shown.assert("document.scripts.length === 2 && document.querySelector('img') === null");
    shown.assert("[...document.links].every((it) => it.protocol === 'file:')");
    shown.assert("document.body.innerText.includes('window.hacked')");
}

pub fn a_hostile_record_runs_nothing() {
    let document = samples::hostile_game();
    let shown = Shown::game(&document);
    assert_harmless(&shown);
    for _ in 0..document.turns.len() {
        shown.press(key::RIGHT);
        assert_harmless(&shown);
    }
    shown.click("[data-candidate='0'] .move");
    shown
        .browser
        .run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        .unwrap();
    shown
        .browser
        .run("document.querySelectorAll('.copy button').forEach((it) => it.click())")
        .unwrap();
    shown
        .browser
        .run("document.querySelector('[data-find]').click()")
        .unwrap();
    assert_harmless(&shown);
    shown
        .browser
        .run("document.querySelector('[data-choice]').click()")
        .unwrap();
    shown.click("#check");
    assert_harmless(&shown);
    shown.assert_silence();
}

pub fn a_hostile_index_runs_nothing() {
    let shown = Shown::index(&samples::hostile_index());
    shown
        .browser
        .run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        .unwrap();
    for at in 1..9 {
        shown.click(&format!("th:nth-child({at}) button"));
    }
    assert_harmless(&shown);
    shown.assert("[...document.links].length > 20");
    shown.assert_silence();
}

pub fn the_policy_refuses_requests_and_scripts() {
    // Without this, the other tests could not tell silence from a log that is always empty.
    let shown = Shown::game(&samples::game());
    shown.assert_silence();
    let attack = "const image = document.createElement('img'); image.src = \
        'http://127.0.0.1:9/x.png'; document.body.append(image); const script = \
        document.createElement('script'); script.textContent = 'window.hacked = 1'; \
        document.body.append(script); document.body.setAttribute('onclick', 'window.hacked = 2'); \
        document.body.click();";
    shown.browser.run(attack).unwrap();
    shown.assert("window.hacked === undefined");
    let complaints = shown.browser.log("browser").unwrap();
    assert!(complaints.len() >= 3, "{complaints:?}");
}

pub fn a_page_without_script_says_what_happened() {
    let document = samples::game();
    let page = cazique::review::page::game_page(&document);
    let shown = Shown::page("");
    shown
        .browser
        .devtools(
            "Emulation.setScriptExecutionDisabled",
            &serde_json::json!({"value": true}),
        )
        .unwrap();
    let file = shown.address.trim_start_matches("file://");
    std::fs::write(file, page).unwrap();
    shown.browser.open(&shown.address).unwrap();
    let text = shown.browser.text("noscript").unwrap();
    for expected in [
        "Alder",
        &document.turns[0].played,
        &document.turning_points[0].text,
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
