//! The command `state`, and the CGP of `show`.

use crate::support::Client;
use std::fs;

#[test]
fn state_says_who_moves_and_what_is_known() {
    let lines = "position startpos moves 8D.KNAVE.AEKNRSV ex.2\nstate";
    let said = Client::start().ask(lines).concat();
    for part in [
        "info state tomove 1 players 2 scores 34/0 racks RS/- unknown 5/7 bag 81 unseen AAAAAAAA",
        " exchange 7 scoreless 1 lastmove ex.2 lastseat 2 lastscore 0 over no rules tournament rack 7 ",
        " board standard15 layout =..'...=...'..=/",
        " tiles english letters A:9:1,B:2:3,",
        ",Z:1:10,?:2:0 lexicon OEL26 cgp 15/15/15/15/15/15/15/3KNAVE7/15/15/15/15/15/15/15 RS/ 34/0 1 unknown 5/7;",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn state_says_why_the_game_is_over_and_the_final_scores() {
    let check = |position: &str, parts: &[&str]| {
        let said = Client::start().ask(&format!("{position}\nstate")).concat();
        for part in parts {
            assert!(said.contains(part), "{part}\n{said}");
        }
    };
    let knave = "position startpos moves 8D.KNAVE.AEKNRSV";
    check(
        &format!("{knave}{}", " pass".repeat(6)),
        &[
            " exchange 0 scoreless 6 lastmove pass ",
            " over scoreless rules tournament ",
        ],
    );
    // All racks count once nobody moves any more.
    let racks = " pass.AEINQTZ pass.RSABCDE".repeat(3);
    check(
        &format!("{knave}{racks}"),
        &[" over scoreless adjustments -12/-25 final 22/-25 winner 1 rules "],
    );
    let endgame = "position cgp 15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0 moves 1K.METIC 1F.MOE E7.RIN";
    check(
        endgame,
        &[
            " over out overseat 1 adjustments 4/0 final ",
            " winner 1 rules ",
        ],
    );
}

#[test]
fn every_cgp_that_show_prints_is_accepted_in_a_fresh_session() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("own.txt", "CAT\nDOG\nCATS\nAT\nTA\n");
    write(
        "nine.txt",
        "board = standard15\ntiles = english\nplayers = 2-4\nrack = 9\nbonus = 7:50 8:60 9:100\nfirst_word = 3\nexchange = covered\nchallenge = ten_point\nscope = word\ntarget = 120\nzero_turns = round\nout = sum\ntie = draw\n",
    );
    write(
        "little.csv",
        "?,?,2,0,0\nA,a,20,1,1\nC,c,9,3,0\nD,d,9,2,0\nG,g,9,2,0\nO,o,9,1,1\nS,s,9,1,0\nT,t,9,1,0\n",
    );
    let data_path = format!("setoption name DataPath value {}", folder.path().display());
    let mut count = 0;
    for options in [
        "",
        "Rules=deluxe Players=3",
        "Rules=indigo Players=4",
        "Rules=school",
        "Rules=travel ChallengeRule=void",
        "Rules=super Players=2",
        "Variant=super Players=4",
        "Board=standard21",
        "Board=standard21 LetterDistribution=english",
        "ChallengeRule=five_point",
        "Rules=nine Players=3",
        "Rules=nine ChallengeRule=double",
        "LetterDistribution=little Lexicon=own",
        "Lexicon=own",
    ] {
        for moves in [
            "",
            "moves pass",
            "moves ex.2 pass",
            "moves pass pass pass pass",
            "moves rack.CATDOGS",
            "moves 8H.CAT.CATDOGS rack.ACCDDGG",
            "moves 8H.CAT.CATDOGS 8H.CATS.ASSCCDD pass",
        ] {
            let mut lines = data_path.clone();
            for option in options.split_whitespace() {
                let (name, value) = option.split_once('=').unwrap();
                lines += &format!("\nsetoption name {name} value {value}");
            }
            lines += &format!("\nposition eyes all startpos {moves}\nshow");
            let shown = Client::start().ask(&lines);
            let cgp = shown.last().unwrap();
            // Some moves are not possible under all of these rules.
            if !cgp.starts_with("position cgp ") {
                continue;
            }
            count += 1;
            let again = Client::start().ask(&format!("{data_path}\n{cgp}\nshow"));
            let errors: Vec<&String> = again
                .iter()
                .filter(|line| line.starts_with("info string error"))
                .collect();
            assert!(errors.is_empty(), "{options} {moves}\n{cgp}\n{errors:?}");
            assert_eq!(again.last().unwrap(), cgp, "{options} {moves}");
        }
    }
    assert!(count > 60, "{count}");
}
