//! `cazique bench`: the signature depends on play, not on the machine.

use crate::support::run;

fn bench(arguments: &[&str]) -> serde_json::Value {
    run(&[&["bench"], arguments, &["--json"]].concat(), "").json()
}

#[test]
fn a_bench_tells_one_signature_and_its_speeds() {
    let (one, two) = (bench(&["--threads", "1"]), bench(&["--threads", "2"]));
    for same in ["signature", "positions", "plays"] {
        assert_eq!(one[same], two[same]);
    }
    assert_eq!(one["signature"].as_str().unwrap().len(), 16);
    let best = ["best_word_map_us", "best_graph_us"];
    for speed in ["plays_per_second", "all_plays_us"].into_iter().chain(best) {
        assert!(one[speed].as_f64().unwrap() > 0.0, "{speed}");
    }
    let games = |told: &serde_json::Value| told["games"].as_array().unwrap().len();
    assert_eq!((games(&one), games(&two)), (1, 2));
    assert_eq!(two["games"][1]["threads"], 2);
}

#[test]
fn a_bench_of_simulations_tells_one_signature_and_its_speeds() {
    let sim = |threads| bench(&["sim", "--quick", "--threads", threads]);
    let (one, two) = (sim("1"), sim("2"));
    assert_eq!(one["signature"], two["signature"]);
    assert_eq!(one["signature"].as_str().unwrap().len(), 16);
    assert_eq!(two["candidates"], 15);
    let speeds = two["speeds"].as_array().unwrap();
    // Three positions, each with two and with five turns after a candidate.
    assert_eq!(speeds.len(), 6);
    let mut product = 1.0;
    for speed in speeds {
        let number = |name: &str| speed[name].as_f64().unwrap();
        assert!(number("rollouts_per_second_threads") > 0.0);
        product *= number("threads_to_one");
    }
    let mean = two["threads_to_one"].as_f64().unwrap();
    assert!((mean - product.powf(1.0 / 6.0)).abs() < 1e-9);
    assert!(one["threads_to_one"].is_null());
}

#[test]
fn a_bench_of_simulations_compares_only_what_the_same_run_has_measured() {
    let arguments = ["bench", "sim", "--quick", "--threads", "1"];
    let printed = run(&arguments, "").stdout;
    assert!(
        !printed.contains("engine") && !printed.contains("times"),
        "{printed}"
    );
    let told = bench(&arguments[1..]);
    let speed = told["speeds"][0].as_object().unwrap();
    let names: Vec<&str> = speed.keys().map(String::as_str).collect();
    let measured =
        "iterations plies position rollouts_per_second rollouts_per_second_threads threads_to_one";
    assert_eq!(names.join(" "), measured);
}

#[test]
fn a_bench_of_endings_tells_one_signature_and_its_speeds() {
    let told = [(); 2].map(|()| bench(&["endgame", "--quick"]));
    assert_eq!(told[0]["signature"], told[1]["signature"]);
    assert_eq!(told[0]["signature"].as_str().unwrap().len(), 16);
    let [searched, decided] =
        ["searched_per_second", "decided_per_second"].map(|rate| told[0][rate].as_f64().unwrap());
    assert!(0.0 < searched && searched < decided);
    let millis = told[0]["millis"].as_array().unwrap();
    assert_eq!(millis.len(), 6);
    let sum: f64 = millis.iter().map(|millis| millis.as_f64().unwrap()).sum();
    assert!((sum / 1e3 - told[0]["seconds"].as_f64().unwrap()).abs() < 1e-9);
}
