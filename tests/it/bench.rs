//! `cazique bench`: the signature is of the play, not of the machine.

use std::process::Command;

fn bench(threads: &str) -> serde_json::Value {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cazique"));
    let output = program.args(["bench", "--json", "--threads", threads]);
    let output = output.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_bench_tells_one_signature_and_its_speeds() {
    let (one, two) = (bench("1"), bench("2"));
    for same in ["signature", "positions", "plays"] {
        assert_eq!(one[same], two[same]);
    }
    assert_eq!(one["signature"].as_str().unwrap().len(), 16);
    for speed in [
        "plays_per_second",
        "all_plays_us",
        "best_word_map_us",
        "best_graph_us",
    ] {
        assert!(one[speed].as_f64().unwrap() > 0.0, "{speed}");
    }
    let games = |told: &serde_json::Value| told["games"].as_array().unwrap().len();
    assert_eq!((games(&one), games(&two)), (1, 2));
    assert_eq!(two["games"][1]["threads"], 2);
}
