//! Tests of the pages in headless Chromium.
//!
//! Starting a browser takes longer than most tests. Therefore this program has its own `main`: each
//! of its threads has one browser for all its tests. Arguments are parts of names of tests to run.

mod find;
mod game;
mod hostile;
mod index;
mod looks;

use browser::driver::Browser;
use cazique::review::{ReviewDocument, ReviewIndex, page};
use std::io::Write;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, thread};
use tempfile::TempDir;

/// The number of browsers. Chosen by hand: each of them has several processes.
const BROWSERS: usize = 2;

/// Tests with their names.
macro_rules! tests {
    ($($module:ident::$name:ident),* $(,)?) => {
        &[$((concat!(stringify!($module), "::", stringify!($name)), $module::$name)),*]
    };
}

/// All tests.
const TESTS: &[(&str, fn())] = tests![
    find::all_mistakes_are_asked_and_their_answers_hidden,
    find::a_typed_candidate_is_compared,
    find::a_typed_move_that_was_not_analysed_gets_its_command,
    find::a_typed_move_that_cannot_be_made_says_why,
    find::the_answer_can_be_asked_for_and_the_mode_left,
    game::keys_and_buttons_step_through_the_game,
    game::the_board_shows_the_game_up_to_the_turn,
    game::graph_list_and_turning_points_lead_to_turns,
    game::the_fragment_of_the_address_names_the_turn,
    game::a_candidate_stands_on_the_board_as_a_ghost,
    game::replies_and_proved_lines_show_on_the_board,
    game::candidates_that_dropped_out_stand_apart,
    game::the_graph_has_a_second_view_and_both_sides,
    game::marks_of_mistakes_differ_in_shape_and_word,
    game::copying_works_without_the_clipboard_of_the_browser,
    game::screen_readers_hear_the_turn_and_the_board,
    game::everything_is_reached_and_used_by_keyboard,
    hostile::a_hostile_record_runs_nothing,
    hostile::a_hostile_index_runs_nothing,
    hostile::the_policy_refuses_requests_and_scripts,
    hostile::a_page_without_script_says_what_happened,
    index::links_lead_to_games_and_turns,
    index::columns_sort_both_ways,
    index::totals_trend_kinds_and_failures_are_there,
    index::an_index_of_several_players_names_them,
    looks::a_game_has_the_contrast_of_wcag_aa,
    looks::a_large_game_has_the_contrast_of_wcag_aa,
    looks::the_index_has_the_contrast_of_wcag_aa,
    looks::the_test_of_contrast_finds_low_contrast,
    looks::no_page_scrolls_sideways_on_a_phone,
    looks::no_page_scrolls_sideways_on_any_screen,
    looks::the_button_switches_between_light_and_dark,
];

thread_local! {
    /// The browser of this thread.
    static BROWSER: Rc<Browser> = Rc::new(Browser::start().unwrap());
}

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| name.contains(it));
    let tests: Vec<_> = TESTS.iter().filter(|(name, _)| is_wanted(name)).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some((name, test)) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let passed = catch_unwind(test).is_ok();
            failed.fetch_add(usize::from(!passed), Ordering::Relaxed);
            let verdict = if passed { "ok" } else { "FAILED" };
            let _ = writeln!(io::stdout(), "test {name} ... {verdict}");
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..BROWSERS.min(tests.len()))
            .map(|_| scope.spawn(work))
            .collect();
        // Joining waits for the end of the browsers too, which belong to the threads.
        threads.into_iter().for_each(|thread| {
            let _ = thread.join();
        });
    });
    let failed = failed.into_inner();
    let _ = writeln!(io::stdout(), "{} tests, {failed} failed", tests.len());
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// A browser that shows a page from the disk.
struct Shown {
    browser: Rc<Browser>,
    address: String,
    folder: TempDir,
}

impl Drop for Shown {
    fn drop(&mut self) {
        // Pages from the disk share their storage. After a failure there may be no page.
        let _ = self.browser.run("localStorage.clear()");
    }
}

impl Shown {
    fn page(html: &str) -> Shown {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("page.html");
        fs::write(&file, html).unwrap();
        let address = format!("file://{}", file.display());
        let browser = BROWSER.with(Rc::clone);
        browser.reset().unwrap();
        browser.open(&address).unwrap();
        Shown {
            browser,
            address,
            folder,
        }
    }

    fn game(document: &ReviewDocument) -> Shown {
        Shown::page(&page::game_page(document))
    }

    fn index(index: &ReviewIndex) -> Shown {
        Shown::page(&page::index_page(index))
    }

    /// Writes a file beside the page.
    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// The text of an expression on the page.
    fn text_of(&self, expression: &str) -> String {
        let value = self.browser.value(expression).unwrap();
        let text = value.as_str().map(String::from);
        text.unwrap_or_else(|| value.to_string())
    }

    /// Fails unless an expression is true on the page.
    #[track_caller]
    fn assert(&self, expression: &str) {
        assert_eq!(self.text_of(expression), "true", "{expression}");
    }

    fn click(&self, selector: &str) {
        self.browser.click(selector).unwrap();
    }

    fn press(&self, keys: &str) {
        self.browser.press(keys).unwrap();
    }

    /// What the page says that it shows, such as `Turn 3 of 23`.
    fn place(&self) -> String {
        self.text_of("document.querySelector('.where').textContent")
    }

    /// Fails if anything was requested but the page itself, or if the browser complained.
    #[track_caller]
    fn assert_silence(&self) {
        let complaints = self.browser.log("browser").unwrap();
        assert!(complaints.is_empty(), "{complaints:?}");
        assert_eq!(self.requests(), Vec::<String>::new());
    }

    /// The addresses that the page requested since the last call, without its own.
    fn requests(&self) -> Vec<String> {
        let mut found = Vec::new();
        for entry in self.browser.log("performance").unwrap() {
            let text = entry["message"].as_str().unwrap_or_default();
            let event: serde_json::Value = serde_json::from_str(text).unwrap();
            let (event, parameters) = (&event["message"], &event["message"]["params"]);
            let is_request = event["method"] == "Network.requestWillBeSent";
            let from = parameters["documentURL"].as_str().unwrap_or_default();
            let address = parameters["request"]["url"].as_str().unwrap_or_default();
            if is_request && from.starts_with(&self.address) && address != self.address {
                found.push(address.to_string());
            }
        }
        found
    }
}

/// An expression with the letters on the squares of the board that show a tile of this class.
fn letters_of_class(class: &str) -> String {
    format!(
        "[...document.querySelectorAll('.grid .tile.{class} .face')].map((it) => \
         it.textContent).join('')"
    )
}
