//! The variations that change what a turn is: blank recycling, letter recycling and rearranging.
//! The referee by examples, and generation against plain twins. Whole games: `every_game`.

use crate::support::{Client, lexicon, random_game, repository, share, variation};
use cazique::board::{Axis, Grid, Lane, Square};
use cazique::eval::{EvalContext, Evaluator};
use cazique::lexicon::Graph;
use cazique::movegen::variations::rearrangements;
use cazique::movegen::{Generator, Words, plain};
use cazique::notation::moves;
use cazique::rules::{
    Edit, Edits, Placement, Position, RearrangeRule, Rearrangement, RuleSet, Setup, SetupDetails,
    Turn,
};
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, Tile, TileCounts};
use cazique::units::Points;
use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A position of two players with this board and rack; the opponent's rack is unknown.
fn position(rules: &Arc<RuleSet>, grid: &Grid, rack: TileCounts) -> Position {
    let setup = Setup {
        grid: grid.clone(),
        racks: vec![rack, TileCounts::EMPTY],
        scores: vec![Points::ZERO; 2],
        scoreless_turns: 0,
        details: SetupDetails::default(),
    };
    Position::new(rules.clone(), setup).unwrap()
}

/// Random positions with a small rack, until `count` of them were given to `visit`.
fn random_positions(
    rules: &Arc<RuleSet>,
    count: u64,
    rack: (usize, bool),
    mut visit: impl FnMut(&Position),
) {
    let graph = lexicon(&rules.tiles).graph();
    let (mut found, (tiles, with_blank)) = (0, rack);
    for unit in 0.. {
        let seed = Seed(77).for_unit(unit);
        let mut chance = seed.for_unit(1).generator();
        random_game(rules, 2, graph, seed, |game, _| {
            let grid = game.position().grid();
            if found >= count || grid.is_empty() || chance.random_range(0..3) > 0 {
                return;
            }
            let mut unseen = rules.tiles.all();
            let on_board = grid.faces().map(Face::tile).collect();
            unseen.take_all(&on_board).unwrap();
            let mut rack = TileCounts::EMPTY;
            if with_blank && unseen.take(Tile::BLANK) {
                rack.add(Tile::BLANK);
            }
            if rules.recycles_blanks {
                // Without the letters of blanks on the board there is nothing to recycle.
                let blanks = grid.faces().filter(|face| face.is_blank());
                let letters = blanks.map(|face| Face::natural(face.letter()).tile());
                rack.extend(letters.filter(|letter| unseen.take(*letter)).take(tiles));
            }
            rack.add_all(&unseen.draw(tiles.saturating_sub(rack.len()), &mut chance));
            let has_blank = grid.faces().any(|face| face.is_blank());
            let is_wanted = rules.recycles_letters || !rules.recycles_blanks || has_blank;
            if is_wanted && rack.len() == tiles {
                found += 1;
                visit(&position(rules, grid, rack));
            }
        });
        if found >= count {
            return;
        }
    }
}

/// The turns that a player would find by trying everything, with their points.
struct PlainTwin<'a> {
    rules: &'a Arc<RuleSet>,
    graph: &'a Graph,
}

impl PlainTwin<'_> {
    /// All turns with edits or rearrangements, as they are written.
    fn turns(&self, position: &Position) -> BTreeMap<String, Points> {
        let mut boards = BTreeMap::new();
        let rack = position.mover_rack().known;
        self.edit(position.grid(), &rack, Edits::NONE, &mut boards);
        let mut turns = BTreeMap::new();
        for (edits, (grid, rack)) in least_edits(boards) {
            let after = self::position(self.rules, &grid, rack);
            let mut mains = self.rearrangements(&after);
            if !edits.is_empty() {
                mains.extend(
                    plain::turns(&after, self.graph)
                        .into_iter()
                        .map(|it| (it.turn, it.points)),
                );
            }
            for (main, points) in mains {
                let turn = main.after_edits(&edits).unwrap();
                let text = moves::write(&turn, position.grid(), &self.rules.tiles);
                turns.insert(text, points);
            }
        }
        turns
    }

    /// Follows every sequence of edits, and notes the board and rack after each.
    fn edit(
        &self,
        grid: &Grid,
        rack: &TileCounts,
        edits: Edits,
        boards: &mut BTreeMap<Vec<Edit>, (Grid, TileCounts)>,
    ) {
        boards.insert(edits.iter().collect(), (grid.clone(), *rack));
        let most = match self.rules.recycles_letters {
            true => self.rules.max_generated_edits,
            false => 4,
        };
        if edits.len() == most {
            return;
        }
        for square in self.rules.board.squares() {
            let Some(old) = grid.get(square) else {
                continue;
            };
            for letter in self.rules.tiles.letters() {
                for new in [Face::natural(letter), Face::blank(letter)] {
                    let (mut after, mut hand) = (grid.clone(), *rack);
                    after.set(square, Some(new));
                    if hand.take(new.tile()) && self.allows(&after, square, old, new) {
                        hand.add(old.tile());
                        let edits = edits.with(Edit { square, old, new }).unwrap();
                        self.edit(&after, &hand, edits, boards);
                    }
                }
            }
        }
    }

    fn allows(&self, after: &Grid, square: Square, old: Face, new: Face) -> bool {
        if old.letter() == new.letter() {
            return self.rules.recycles_blanks && old.is_blank() && !new.is_blank();
        }
        self.rules.recycles_letters
            && Axis::BOTH
                .iter()
                .all(|&axis| self.is_word(&run(after, square, axis)))
    }

    /// Whether a run is a word, or a single tile.
    fn is_word(&self, run: &[(Square, Face)]) -> bool {
        let letters: Vec<Letter> = run.iter().map(|(_, face)| face.letter()).collect();
        letters.len() < 2 || self.graph.contains(&letters)
    }

    /// Tries every order of tiles on every stretch of a lane that covers a run.
    fn rearrangements(&self, position: &Position) -> Vec<(Turn, Points)> {
        let mut found = BTreeSet::new();
        if self.rules.rearrange == RearrangeRule::Off {
            return Vec::new();
        }
        let (grid, side) = (position.grid(), position.grid().side());
        for axis in Axis::BOTH {
            for lane in (0..side).map(|index| Lane::new(axis, index, side)) {
                for start in 0..side {
                    for end in start + 3..=side {
                        let squares: Vec<Square> =
                            lane.onwards(start).take((end - start).into()).collect();
                        self.fill(position, axis, &squares, &mut found);
                    }
                }
            }
        }
        let scored = |word: Placement| {
            let found = Rearrangement::new(self.rules, grid, &word).ok()?;
            let turn = Turn::Rearrange(found);
            let score = position.examine_turn(&turn).ok()?;
            let is_valid = score.formed().all(|word| self.graph.contains(&word));
            is_valid.then(|| (turn, score.total()))
        };
        found.into_iter().filter_map(scored).collect()
    }

    /// Fills a stretch of a lane with the tiles of one of its runs and of the rack, in every order.
    fn fill(
        &self,
        position: &Position,
        axis: Axis,
        squares: &[Square],
        found: &mut BTreeSet<Placement>,
    ) {
        let grid = position.grid();
        let empty = squares.iter().filter(|it| grid.get(**it).is_none()).count();
        let rack = position.mover_rack().known;
        let usable = squares.iter().all(|it| self.rules.board.is_usable(*it));
        if empty == 0 || empty > rack.len() || !usable {
            return;
        }
        let mut starts = 0..squares.len();
        while let Some(start) = starts.find(|&at| grid.get(squares[at]).is_some()) {
            let tiles = squares[start..].iter();
            let length = tiles.take_while(|it| grid.get(**it).is_some()).count();
            starts = start + length..squares.len();
            let mut word: Vec<Option<Face>> = squares.iter().map(|it| grid.get(*it)).collect();
            let lifted: Vec<Face> = word[start..start + length]
                .iter()
                .copied()
                .flatten()
                .collect();
            let is_free = self.rules.rearrange == RearrangeRule::Free;
            let open: Vec<usize> = (0..squares.len())
                .filter(|at| word[*at].is_none() || (start..start + length).contains(at))
                .collect();
            let own = |at: usize| is_free || (start..start + length).contains(&at);
            for &at in &open {
                word[at] = None;
            }
            let mut pools = (lifted, rack);
            self.fill_from(&open, &mut word, &mut pools, &own, &mut |word| {
                let letters: Vec<Letter> = word.iter().map(|face| face.unwrap().letter()).collect();
                if self.graph.contains(&letters) {
                    found.extend(Placement::new(squares[0], axis, word));
                }
            });
        }
    }

    fn fill_from(
        &self,
        open: &[usize],
        word: &mut Vec<Option<Face>>,
        pools: &mut (Vec<Face>, TileCounts),
        own: &dyn Fn(usize) -> bool,
        full: &mut dyn FnMut(&[Option<Face>]),
    ) {
        let Some((&at, rest)) = open.split_first() else {
            return full(word);
        };
        let is_free = self.rules.rearrange == RearrangeRule::Free;
        if own(at) {
            for tile in 0..pools.0.len() {
                let face = pools.0.remove(tile);
                word[at] = Some(face);
                self.fill_from(rest, word, pools, own, full);
                pools.0.insert(tile, face);
            }
        }
        if is_free || !own(at) {
            for letter in self.rules.tiles.letters() {
                for face in [Face::natural(letter), Face::blank(letter)] {
                    if pools.1.take(face.tile()) {
                        word[at] = Some(face);
                        self.fill_from(rest, word, pools, own, full);
                        pools.1.add(face.tile());
                    }
                }
            }
        }
        word[at] = None;
    }
}

/// The tiles in a row through a square.
fn run(grid: &Grid, square: Square, axis: Axis) -> Vec<(Square, Face)> {
    let (lane, at) = square.lane(axis, grid.side());
    let tile = |square: Square| grid.get(square).map(|face| (square, face));
    let mut run: Vec<(Square, Face)> = lane.backwards(at).map_while(tile).collect();
    run.reverse();
    run.extend(lane.onwards(at).map_while(tile));
    run
}

/// For each board the fewest edits that lead to it, and of these the first in order.
fn least_edits(
    boards: BTreeMap<Vec<Edit>, (Grid, TileCounts)>,
) -> Vec<(Edits, (Grid, TileCounts))> {
    let mut least: Vec<(Vec<Edit>, (Grid, TileCounts))> = Vec::new();
    let mut sequences: Vec<_> = boards.into_iter().collect();
    sequences.sort_by_key(|(edits, _)| (edits.len(), edits.clone()));
    for (edits, board) in sequences {
        if least.iter().all(|(_, (grid, _))| *grid != board.0) {
            least.push((edits, board));
        }
    }
    let collected = |edits: Vec<Edit>| {
        let add = |list: Edits, edit: Edit| list.with(edit).unwrap();
        edits.into_iter().fold(Edits::NONE, add)
    };
    least
        .into_iter()
        .map(|(edits, board)| (collected(edits), board))
        .collect()
}

/// Compares the turns that the engine proposes with those of the plain twin.
fn compare(base: &str, changes: &str, count: u64, rack: (usize, bool)) {
    let rules = variation(base, changes);
    let graph = lexicon(&rules.tiles).graph();
    let twin = PlainTwin {
        rules: &rules,
        graph,
    };
    let mut turns = 0;
    random_positions(&rules, share(count), rack, |position| {
        let mut evaluator = Evaluator::new(&rules, None);
        let context = EvalContext::of(position);
        let grid = position.grid();
        let generator = Generator::new(&rules, Words::new(graph, None), grid);
        let mut found = BTreeMap::new();
        evaluator.other_turns(&generator, &context, usize::MAX, |turn| {
            let text = moves::write(&turn.turn, grid, &rules.tiles);
            let again = found.insert(text.clone(), turn.points);
            assert_eq!(again, None, "{text} is proposed twice");
        });
        turns += found.len();
        assert_eq!(found, twin.turns(position), "{changes}: {position:?}");
    });
    assert!(turns > 0, "{changes}");
}

#[test]
fn blank_recycling_is_generated_as_by_the_plain_twin() {
    compare("deluxe", "recycle_blanks = on", 1_000, (4, false));
    compare("super", "recycle_blanks = on", 1_000, (4, true));
}

#[test]
fn letter_recycling_is_generated_as_by_the_plain_twin() {
    let one = "recycle_letters = on\nmax_generated_edits = 1";
    compare("deluxe", one, 1_000, (3, false));
    compare("super", one, 1_000, (2, true));
    let two = "recycle_letters = on\nrecycle_blanks = on";
    compare("deluxe", two, 200, (2, false));
    compare("deluxe", two, 20, (2, true));
}

#[test]
fn rearranging_is_generated_as_by_the_plain_twin() {
    compare("deluxe", "rearrange = inplace", 1_000, (3, false));
    compare("super", "rearrange = inplace", 1_000, (2, true));
    compare("deluxe", "rearrange = free", 100, (2, false));
}

/// Sends rules, a position and lines to the engine, and compares its answers.
fn check(changes: &str, lines: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    std::fs::write(&file, format!("base = deluxe\n{changes}\n")).unwrap();
    let path = folder.path().display();
    let rules = format!("setoption name DataPath value {path}\nsetoption name Rules value club");
    let said = Client::start().ask(&format!("{rules}\n{lines}"));
    let agree = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(line, said)| crate::sessions::matches(said, line));
    assert!(agree, "{lines}\nsays {said:#?}\ninstead of {expected:#?}");
}

#[test]
fn the_worked_examples_are_true() {
    let document = std::fs::read_to_string(repository("docs/variations.md")).unwrap();
    let mut count = 0;
    for block in document.split("```session ").skip(1) {
        let block = block.split("```").next().unwrap();
        let (rules, lines) = block.split_once('\n').unwrap();
        let part = |sign: &'static str| {
            lines
                .lines()
                .filter_map(move |line| line.strip_prefix(sign))
        };
        let said: Vec<&str> = part("< ").collect();
        let rules = rules.replace("; ", "\n");
        check(&rules, &part("> ").collect::<Vec<_>>().join("\n"), &said);
        count += said.len();
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn a_blank_on_the_board_is_replaced_by_its_letter() {
    let rules = "recycle_blanks = on";
    let known = "position startpos moves 8F.HoRN pass rack.OAFMTUW";
    check(
        rules,
        &format!("{known}\ncheck 8G=O+H6.FARM\ncheck 8G=O+pass\ncheck 8G=O+8F.HORNY"),
        &[
            "info check move 8G=O+H6.FARM score 9 valid yes words FARM parts 9 bonus 0",
            "info check move 8G=O+pass score 0 valid yes",
            "info check move 8G=O+8F.HORNY score … valid no words HORNY missing Y parts … bonus 0",
        ],
    );
    for (turn, error) in [
        ("8H=R+pass", "8H shows this letter already…"),
        ("8G=A+pass", "8G shows another letter…"),
        ("9G=O+pass", "9G has no tile to replace"),
        ("8G=O+8G=O+pass", "8G shows this letter already…"),
    ] {
        let error = format!("info string error bad-move {error}");
        check(rules, &format!("{known}\ncheck {turn}"), &[&error]);
    }
    let off = "info string error bad-move 8G shows this letter already…";
    check("", &format!("{known}\ncheck 8G=O+pass"), &[off]);
    // The O is on the board afterwards, and the blank on the rack.
    let made = "position eyes all startpos moves 8F.HoRN pass 8G=O+H6.FARM.OAFMTUW\nstate";
    let said = "info state tomove 2 … racks TUW?/- … lastmove 8G=O+H6.FARM …";
    check(rules, made, &[said]);
}

#[test]
fn both_blanks_are_recycled_in_one_turn() {
    for (main, racks) in [
        ("H6.FARM", "TU??/-"),
        ("ex.AF", "MTU??/-"),
        ("pass", "AFMTU??/-"),
    ] {
        let turn = format!("8G=O+8I=N+{main}");
        let moves = format!("position eyes all startpos moves 8F.HoRn pass {turn}.AFMNOTU\nstate");
        let said = format!("info state tomove 2 … racks {racks} … lastmove {turn} …");
        check("recycle_blanks = on", &moves, &[&said]);
    }
}

#[test]
fn tiles_of_the_board_are_replaced_one_by_one() {
    let rules = "recycle_letters = on";
    let known = "position startpos moves 8F.HORN pass rack.CTAEEEE";
    check(
        rules,
        &format!("{known}\ncheck 8F=C+8F.CORNET\ncheck 8F=T+8G=A+pass\ncheck 8F=T+pass"),
        &[
            "info check move 8F=C+8F.CORNET score … valid yes words CORNET editwords CORN parts … bonus 0",
            "info check move 8F=T+8G=A+pass score 0 valid yes editwords TORN,TARN",
            "info check move 8F=T+pass score 0 valid yes editwords TORN",
        ],
    );
    let phony = "info check move 8F=A+pass score 0 valid no editwords AORN phony AORN";
    check(rules, &format!("{known}\ncheck 8F=A+pass"), &[phony]);
    let repeated = "info string error bad-move the edit of 8F makes a board again …";
    check(
        rules,
        &format!("{known}\ncheck 8F=C+8F=H+pass"),
        &[repeated],
    );
    // A challenge covers the whole turn and undoes all of it.
    let moves =
        "position eyes all startpos moves 8F.HORN pass 8F=A+8F.AORNE.AEEECTT challenge\nstate";
    let said = "info state tomove 2 … racks ACEEETT/- … lastmove phony.8F=A+8F.AORNE … cgp 15/15/15/15/15/15/15/5HORN6/…";
    check(rules, moves, &[said]);
}

#[test]
fn a_word_is_rearranged() {
    let known = "position startpos moves 8F.HORN pass rack.TEAAIIO";
    let inplace = "rearrange = inplace";
    check(
        inplace,
        &format!("{known}\ncheck re.8E.THRONE\ncheck re.8E.TOHRN\ncheck re.8F.HORNE"),
        &[
            // H, R, O and N on squares that had tiles: 4 + 1 + 1 + 1; T on 8E, E on 8J: plain squares.
            "info check move re.8E.THRONE score … valid yes words THRONE parts … bonus 0",
            "info check move re.8E.TOHRN score … valid no words TOHRN phony TOHRN parts … bonus 0",
            "info string error bad-move no tile of the board changes its place…",
        ],
    );
    let lost = "info string error bad-move the new word does not use all tiles…";
    check(inplace, &format!("{known}\ncheck re.8F.NORTH"), &[lost]);
    let north = "info check move re.8F.NORTH score … valid yes words NORTH parts … bonus 0";
    check(
        "rearrange = free",
        &format!("{known}\ncheck re.8F.NORTH"),
        &[north],
    );
    let off = "info string error bad-move the rules have no rearranging";
    check("", &format!("{known}\ncheck re.8E.THRONE"), &[off]);
}

#[test]
fn premium_squares_under_a_rearranged_word_do_not_count() {
    // The E of RATE is on the double word of the centre. In STARE the new S is on a double letter.
    let known = "position startpos moves 8E.RATE pass\ncheck re.8E.TEARS\ncheck re.8D.STARE";
    for rules in ["rearrange = inplace", "rearrange = free"] {
        check(
            rules,
            known,
            &[
                "info check move re.8E.TEARS score 5 valid yes words TEARS parts 5 bonus 0",
                "info check move re.8D.STARE score 6 valid yes words STARE parts 6 bonus 0",
            ],
        );
    }
}

#[test]
fn rearrangements_come_in_an_order_without_chance() {
    let rules = variation("deluxe", "rearrange = free");
    let graph = lexicon(&rules.tiles).graph();
    let mut found = 0;
    random_positions(&rules, 40, (4, false), |position| {
        let list = || {
            let mut list = Vec::new();
            let rack = position.mover_rack().known;
            rearrangements(&rules, graph, position.grid(), &rack, &|| true, |it| {
                list.push(it)
            });
            list
        };
        let first = list();
        found += first.len();
        assert_eq!(first, list());
    });
    assert!(found > 100, "{found}");
}

/// Once all edited boards were made before the first was looked at, and rearranging did not stop.
#[test]
fn turns_with_edits_stop_soon_after_generation_is_told_to() {
    let rules = variation("deluxe", "recycle_letters = on\nrearrange = free");
    let graph = lexicon(&rules.tiles).graph();
    let count_turns = |position: &Position, may_continue: bool| {
        let check = || may_continue;
        let generator = Generator::new(&rules, Words::new(graph, None), position.grid());
        let generator = generator.with_continue_check(&check);
        let mut evaluator = Evaluator::new(&rules, None);
        let mut count = 0;
        let context = EvalContext::of(position);
        let is_complete = evaluator.other_turns(&generator, &context, 5, |_| count += 1);
        assert_eq!(is_complete, may_continue);
        count
    };
    let mut all = 0;
    random_positions(&rules, 5, (4, true), |position| {
        all += count_turns(position, true);
        assert_eq!(count_turns(position, false), 0);
    });
    assert!(all > 500, "{all}");
}

#[test]
fn no_solver_knows_these_turns_and_simulation_takes_over() {
    let known = "position startpos moves 8F.HORN pass rack.TEAAIIO";
    for rules in [
        "recycle_blanks = on",
        "recycle_letters = on",
        "rearrange = free",
    ] {
        let error = "info string error unsupported-mode endgame cannot solve this: the rules have …; use the mode auto";
        check(rules, &format!("{known}\ngo endgame"), &[error]);
    }
}

#[test]
fn a_simulation_is_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    let changes = "rearrange = inplace\nrecycle_letters = on\nmax_generated_edits = 1";
    std::fs::write(&file, format!("base = deluxe\n{changes}\n")).unwrap();
    let search = |threads: usize| {
        let mut client = Client::start();
        client.say(&format!(
            "setoption name Rules value {}\nposition startpos moves 8F.HORN pass rack.TEAAIIO\n\
             go sim iterations 4 candidates 3 depth 2 threads {threads}",
            file.display()
        ));
        let mut lines = client.until("bestmove");
        lines.retain(|line| line.starts_with("info sim") || line.starts_with("bestmove"));
        lines
    };
    let alone = search(1);
    assert!(alone.len() > 3, "{alone:?}");
    assert_eq!(alone, search(2));
}
