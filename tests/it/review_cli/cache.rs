//! The cache: many users at once, damage, its size, and what kill -9 leaves.

use super::{Desk, files_below};
use cazique::review::ReviewCache;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// A limit that no test reaches.
const NO_LIMIT: u64 = 1 << 30;

fn key(number: u32) -> String {
    format!("{number:016x}")
}

fn cache(folder: &Path, limit: u64) -> ReviewCache {
    ReviewCache::open(folder, limit).expect("the folder can be written")
}

/// The only file of a cache.
fn only_file(folder: &Path) -> PathBuf {
    let files = files_below(folder);
    assert_eq!(files.len(), 1);
    folder.join(files.keys().next().unwrap())
}

#[test]
fn what_is_kept_comes_back() {
    let desk = Desk::new();
    let cache = cache(&desk.cache(), NO_LIMIT);
    let value = vec![0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE];
    assert_eq!(cache.get::<Vec<f64>>(&key(1)), None);
    cache.put(&key(1), &value).unwrap();
    assert_eq!(cache.get::<Vec<f64>>(&key(1)), Some(value));
    assert_eq!(cache.get::<Vec<f64>>(&key(2)), None);
    // Another type is as good as none.
    assert_eq!(cache.get::<String>(&key(1)), None);
    // No key leads out of the folder.
    for key in ["../../x", "", "a", "/etc/passwd", "0g"] {
        cache.put(key, &"x").unwrap();
        assert_eq!(cache.get::<String>(key), None, "{key}");
    }
    assert_eq!(desk.names(), Vec::<String>::new());
}

/// An entry with this content is not used, and goes away.
#[track_caller]
fn check_damage(damage: impl FnOnce(String) -> String) {
    let desk = Desk::new();
    let cache = cache(&desk.cache(), NO_LIMIT);
    cache.put(&key(1), &"one two three").unwrap();
    let path = only_file(&desk.cache());
    fs::write(&path, damage(fs::read_to_string(&path).unwrap())).unwrap();
    assert_eq!(cache.get::<String>(&key(1)), None);
    assert!(!path.exists());
    cache.put(&key(1), &"four").unwrap();
    assert_eq!(cache.get::<String>(&key(1)), Some("four".to_string()));
}

#[test]
fn a_damaged_entry_is_as_good_as_none() {
    check_damage(|_| String::new());
    check_damage(|text| text[..text.len() - 2].to_string());
    check_damage(|text| text.replace("two", "too"));
    check_damage(|text| text + " ");
    check_damage(|text| text.replace(&key(1), &key(2)));
    check_damage(|_| "\u{0}".repeat(100));
}

#[test]
fn the_entries_not_used_for_the_longest_time_go_first() {
    let desk = Desk::new();
    let unlimited = cache(&desk.cache(), NO_LIMIT);
    let value = "x".repeat(1_000);
    let age = |number: u32, hours: u64| {
        let path = desk
            .cache()
            .join("00")
            .join(format!("{}.turn", &key(number)[2..]));
        let time = SystemTime::now() - Duration::from_secs(3_600 * hours);
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    };
    for number in 0..10 {
        unlimited.put(&key(number), &value).unwrap();
        age(number, 100 - u64::from(number));
    }
    // Using the oldest makes it the youngest.
    assert_eq!(unlimited.get::<String>(&key(0)), Some(value.clone()));
    cache(&desk.cache(), 5_500).trim();
    let left = (0..10).filter(|&number| unlimited.get::<String>(&key(number)).is_some());
    assert_eq!(left.collect::<Vec<_>>(), [0, 7, 8, 9]);
}

#[test]
fn writing_keeps_the_limit() {
    let desk = Desk::new();
    let cache = cache(&desk.cache(), 20_000);
    for number in 0..200 {
        cache.put(&key(number), &"x".repeat(1_000)).unwrap();
    }
    let size: usize = files_below(&desk.cache()).values().map(Vec::len).sum();
    assert!((5_000..=25_000).contains(&size), "{size}");
}

#[test]
fn what_was_never_finished_goes_away() {
    let desk = Desk::new();
    let cache = cache(&desk.cache(), NO_LIMIT);
    cache.put(&key(1), &"x").unwrap();
    let part = desk.cache().join("00").join("1-1.part");
    File::create(&part).unwrap();
    cache.trim();
    assert!(part.exists(), "another process may be writing it");
    let file = File::options().append(true).open(&part).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(7_200))
        .unwrap();
    cache.trim();
    assert!(!part.exists());
    assert_eq!(cache.get::<String>(&key(1)), Some("x".to_string()));
}

#[test]
fn many_may_use_one_folder() {
    let desk = Desk::new();
    let users = 4;
    thread::scope(|scope| {
        for user in 0..users {
            let folder = desk.cache();
            scope.spawn(move || {
                let cache = cache(&folder, 30_000);
                for number in 0..300 {
                    let number = (number * (user + 1)) % 100;
                    let value = format!("{number} {}", "x".repeat(1_000));
                    cache.put(&key(number), &value).unwrap();
                    if let Some(found) = cache.get::<String>(&key(number)) {
                        assert_eq!(found, value);
                    }
                }
            });
        }
    });
    let files = files_below(&desk.cache());
    assert!(
        files.keys().all(|name| name.ends_with(".turn")),
        "{:?}",
        files.keys()
    );
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let desk = Desk::with(&["game.gcg"]);
    fs::write(desk.cache(), "a file").unwrap();
    desk.review(&["game.gcg"])
        .expect(0, "warning: the results are not kept");
    assert!(desk.path("game.html").exists());
    desk.review(&["--no-cache", "game.gcg"]).expect(0, "");
}

#[test]
fn a_second_run_searches_nothing() {
    let desk = Desk::with(&["game.gcg"]);
    desk.review(&["game.gcg", "--format=json"]).expect(0, "");
    let entries = files_below(&desk.cache());
    assert_eq!(entries.len(), 2);
    let first = desk.files();
    desk.review(&["game.gcg", "--format=json"]).expect(0, "");
    assert_eq!(desk.files(), first);
    assert_eq!(files_below(&desk.cache()), entries);
    // Other names and notes change no position; another move changes one.
    let game = desk.read("game.gcg").replace("Ann Lee", "Anna Lee") + "#note good game\n";
    desk.write("game.gcg", &game);
    desk.review(&["game.gcg", "--format=json"]).expect(0, "");
    assert_eq!(files_below(&desk.cache()).len(), 2);
    desk.write(
        "game.gcg",
        game.replace("AFMRTUW H6 FA.M +9 9", "AFMRTUW H7 A.M +5 5"),
    );
    desk.review(&["game.gcg", "--format=json"]).expect(0, "");
    assert_eq!(files_below(&desk.cache()).len(), 3);
    // Without the cache the result is the same.
    let changed = desk.files();
    desk.review(&["game.gcg", "--format=json", "--no-cache"])
        .expect(0, "");
    assert_eq!(desk.files(), changed);
}

/// The longest time that a killed run may take before. Chosen by hand, for a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_killed_run_resumes_and_ends_with_the_same_files() {
    let names: Vec<String> = (0..6).map(|number| format!("games/{number}.gcg")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (killed, undisturbed) = (Desk::with(&names), Desk::with(&names));
    for (at, name) in names.iter().enumerate() {
        // Different racks, so that each game is searched.
        let game = super::GAME.replace("AEHNORT", &format!("{}HNORT", ["AE", "AI"][at % 2]));
        let game = game.replace("AFMRTUW", ["AFMRTUW", "AFMRTUE", "AFMRTUI"][at % 3]);
        killed.write(name, &game);
        undisturbed.write(name, &game);
    }
    let arguments = [
        "--iterations=20",
        "--threads=2",
        "games",
        "--format=html,json,gcg,csv",
    ];
    let run = |desk: &Desk| {
        let ended = desk.command(&arguments).output().unwrap();
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
    };
    let mut child = killed.command(&arguments).spawn().unwrap();
    let start = Instant::now();
    let entries = |desk: &Desk| match desk.cache().exists() {
        true => files_below(&desk.cache())
            .into_keys()
            .filter(|name| name.ends_with("turn"))
            .count(),
        false => 0,
    };
    while entries(&killed) < 3 && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(entries(&killed) >= 3);
    for (name, content) in killed.files() {
        let whole = content.ends_with(b"\n") || name.ends_with("cazique-part");
        assert!(whole, "{name} is half a file");
    }
    run(&killed);
    run(&undisturbed);
    assert_eq!(killed.names(), undisturbed.names());
    assert!(killed.files() == undisturbed.files(), "the files differ");
}
