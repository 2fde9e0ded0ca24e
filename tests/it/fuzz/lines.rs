//! Hostile lines: random bytes, commands with mistakes, and lines that are far too long.

use crate::support::{lexicon, random_game, rules};
use cazique::notation::{cgp::Cgp, moves};
use cazique::seed::Seed;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::path::Path;
use std::sync::OnceLock;

/// A source of hostile lines, chosen by a seed.
pub struct Lines {
    chance: Pcg64Mcg,
    corpus: Vec<String>,
    /// The only folder where a log may be written.
    log: String,
}

impl Lines {
    /// Lines that name files of `folder`, and write to no other folder.
    pub fn new(seed: Seed, folder: &Path) -> Lines {
        Lines {
            chance: seed.generator(),
            corpus: corpus(folder),
            log: folder.join("log").display().to_string(),
        }
    }

    /// The next line, with its end.
    pub fn line(&mut self) -> Vec<u8> {
        let mut line = match self.chance.random_range(0..10_000) {
            0..3 => self.too_long(),
            3..20 => self.endless(),
            20..1_200 => self.noise(),
            1_200..2_000 => self.signs(),
            2_000..5_000 => self.command(),
            5_000..5_400 => [self.command(), self.command()].join(&b' '),
            _ => self.mutated(),
        };
        line.retain(|byte| *byte != b'\n');
        let mut line = self.tamed(line);
        line.push(b'\n');
        line
    }

    /// Replaces lines that may not be sent: `quit`, and those that write a log outside the folder.
    fn tamed(&mut self, line: Vec<u8>) -> Vec<u8> {
        let Ok(text) = str::from_utf8(&line) else {
            return line;
        };
        let words: Vec<&str> = text.split_whitespace().take(4).collect();
        match words.as_slice() {
            ["quit", ..] => b"stop".to_vec(),
            ["setoption", "name", log, ..] if log.eq_ignore_ascii_case("log") => {
                let log = self.log.clone();
                let path = self.pick(&["", "<empty>", ".", "no/such/folder/log", &log]);
                format!("setoption name Log value {path}").into_bytes()
            }
            _ => line,
        }
    }

    fn command(&mut self) -> Vec<u8> {
        // Stops are frequent, because most commands are refused during a search.
        if self.chance.random_ratio(1, 6) {
            return b"stop".to_vec();
        }
        let at = self.place(self.corpus.len());
        self.corpus[at].clone().into_bytes()
    }

    fn mutated(&mut self) -> Vec<u8> {
        let mut line = self.command();
        for _ in 0..self.chance.random_range(1..4) {
            line = match self.chance.random_range(0..4) {
                0 => self.with_changed_words(line),
                1 => self.with_number(line),
                2 => self.with_odd_text(line),
                _ => self.with_changed_bytes(line),
            };
        }
        line
    }

    fn with_changed_words(&mut self, line: Vec<u8>) -> Vec<u8> {
        let mut words: Vec<Vec<u8>> = line
            .split(|byte| *byte == b' ')
            .map(<[u8]>::to_vec)
            .collect();
        let (a, b) = (self.place(words.len()), self.place(words.len()));
        match self.chance.random_range(0..6) {
            0 => words.swap(a, b),
            1 => _ = words.remove(a),
            2 => words.insert(b, words[a].clone()),
            3 => {
                let other = self.command();
                let other: Vec<&[u8]> = other.split(|byte| *byte == b' ').collect();
                words[a] = self.pick(&other).to_vec();
            }
            4 => {
                let times = self.chance.random_range(2..60);
                words.splice(a..a, vec![words[a].clone(); times]);
            }
            _ => words[a] = words[a].to_ascii_lowercase(),
        }
        let between = [" ", " ", " ", " ", "  ", "\t", "\r", "\u{2003}"];
        words.join(self.pick(&between).as_bytes())
    }

    /// Replaces a number by one of [`NUMBERS`].
    fn with_number(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        let digits: Vec<usize> = (0..line.len())
            .filter(|&at| line[at].is_ascii_digit())
            .collect();
        if digits.is_empty() {
            return line;
        }
        let from = self.pick(&digits);
        let is_end = |byte: &u8| !byte.is_ascii_digit();
        let len = line[from..].iter().position(is_end);
        let to = len.map_or(line.len(), |len| from + len);
        let number = match self.chance.random_range(0..3) {
            0 => self.chance.random_range(0..300).to_string(),
            _ => self.pick(&NUMBERS).to_string(),
        };
        line.splice(from..to, number.into_bytes());
        line
    }

    fn with_odd_text(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        let at = self.chance.random_range(0..=line.len());
        let odd = self.pick(&ODD);
        let times = match self.chance.random_range(0..20) {
            0 => 300,
            1..5 => 7,
            _ => 1,
        };
        line.splice(at..at, odd.repeat(times));
        line
    }

    fn with_changed_bytes(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        match self.chance.random_range(0..3) {
            // This may split a character of several bytes.
            0 => line.truncate(self.chance.random_range(0..=line.len())),
            1 => _ = line.drain(..self.place(line.len() + 1)),
            _ if line.is_empty() => {}
            _ => {
                let at = self.place(line.len());
                line[at] ^= 1 << self.chance.random_range(0..8);
            }
        }
        line
    }

    /// Random bytes.
    fn noise(&mut self) -> Vec<u8> {
        let most = match self.chance.random_range(0..100) {
            0 => 60_000,
            1..10 => 2_000,
            _ => 80,
        };
        let mut noise = vec![0; self.chance.random_range(0..most)];
        self.chance.fill(&mut noise[..]);
        noise
    }

    /// Characters of commands in random order.
    fn signs(&mut self) -> Vec<u8> {
        let signs = b"AEIO?aeio[]./;-+0123456789 \t\rHXZ#=\"'^~";
        let first = [
            "",
            "position cgp ",
            "position startpos moves ",
            "rack ",
            "check ",
            "go searchmoves ",
            "setoption name ",
            "position cgp 15/15/15/15/15/15/15/7",
        ];
        let mut line = self.pick(&first).as_bytes().to_vec();
        for _ in 0..self.chance.random_range(0..120) {
            line.push(self.pick(signs));
        }
        line
    }

    /// A command with one of its words repeated ten thousand times.
    fn endless(&mut self) -> Vec<u8> {
        let line = self.command();
        let mut words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        let at = self.place(words.len());
        words.splice(at..at, vec![words[at]; 10_000]);
        words.join(&b' ')
    }

    /// A line beyond the limit of 1 MiB, or just below it.
    fn too_long(&mut self) -> Vec<u8> {
        let start = self.command();
        let len = (1 << 20) + self.chance.random_range(0..3_000) - 1_500;
        let filling = self.pick(&ODD);
        let mut line: Vec<u8> = start.iter().chain(b" ").copied().collect();
        line.extend(filling.iter().cycle().take(len));
        line
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.place(choices.len())]
    }

    fn place(&mut self, places: usize) -> usize {
        self.chance.random_range(0..places.max(1))
    }
}

/// Numbers at the limits of their types and beyond.
const NUMBERS: [&str; 22] = [
    "-1",
    "-0",
    "+1",
    "00000000000000000001",
    "127",
    "128",
    "255",
    "256",
    "-32769",
    "65536",
    "1000001",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999999999999",
    "1e9",
    "NaN",
    "٣",
];

/// Text that is wrong almost everywhere: brackets, separators of our notations, characters of
/// several bytes, whole and split, and bytes that are not text.
const ODD: [&[u8]; 26] = [
    b"[",
    b"]",
    b"[[",
    b"[A]",
    b"[]",
    b"[CH",
    b"?",
    b".",
    b"/",
    b";",
    b" ",
    b" moves ",
    b" value ",
    b" 0 ",
    b" pass",
    b" ex.1",
    b" x",
    "É".as_bytes(),
    "ß".as_bytes(),
    "İ".as_bytes(),
    "🂡".as_bytes(),
    "\u{301}".as_bytes(),
    "\u{feff}".as_bytes(),
    b"\xc3",
    b"\xf0\x9f\x82",
    b"\0",
];

/// Every command in every valid form, and options with valid and invalid values.
fn corpus(folder: &Path) -> Vec<String> {
    let file = |name: &str| folder.join(name).display().to_string();
    let mut lines: Vec<String> = COMMANDS.iter().map(|line| line.to_string()).collect();
    for position in POSITIONS {
        // Positions are more frequent than other commands, and a search follows each.
        lines.extend(vec![position.to_string(); 2]);
        lines.push(format!(
            "{position} bb 40; cr 5pt; etl 1; gid a b; lex OEL26; mcnz 6; ti 5; tmr 900/-1; to 60;"
        ));
        lines.push(format!("{position} moves pass ex.3 rack.AEINRST"));
    }
    lines.extend_from_slice(played());
    for (name, values) in OPTIONS {
        for value in values.split('|') {
            lines.push(format!("setoption name {name} value {value}"));
        }
    }
    for (name, value) in [
        ("Lexicon", "words.txt"),
        ("Board", "board.txt"),
        ("Rules", "rules.txt"),
        ("LetterDistribution", "digraphs.csv"),
        ("DataPath", ""),
    ] {
        lines.push(format!("setoption name {name} value {}", file(value)));
    }
    lines
}

/// Positions of a random game, each with the move that was made there.
fn played() -> &'static [String] {
    static PLAYED: OnceLock<Vec<String>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let mut lines = Vec::new();
        let rules = rules("deluxe");
        let graph = lexicon(&rules.tiles).graph();
        random_game(&rules, 4, graph, Seed(22), |game, turn| {
            let position = game.position();
            let turn = moves::write(turn, position.grid(), &position.rules().tiles);
            let position = format!("position cgp {}", Cgp::of(position));
            lines.push(format!("check {turn}"));
            lines.push(format!("{position} moves {turn}"));
            lines.push(position);
        });
        // Some positions of the early, middle and late game are enough.
        lines.chunks(3).step_by(5).flatten().cloned().collect()
    })
}

/// The files that the corpus names, with their contents.
pub const FILES: [(&str, &str); 4] = [
    ("words.txt", "aa\nab\nae\nabed\nchat\nzoo\nretinas\n"),
    (
        "board.txt",
        "~~~~~~~\n='.'.'=\n.......\n.#.....\n.......\n='.'.'=\n~~~~~~~\n",
    ),
    (
        "rules.txt",
        "base = deluxe\nrack = 9\nbonus = 7:50 8:60 9:70\ntarget = 200\n",
    ),
    (
        "digraphs.csv",
        "?,?,4,0,0\nA,a,40,1,1\nC,c,20,3,0\nCH,ch,10,5,0\nE,e,40,1,1\nH,h,10,4,0\nL·L,l·l,4,100,0\nT,t,30,1,0\n",
    ),
];

/// Options with their values, separated by `|`.
const OPTIONS: [(&str, &str); 12] = [
    (
        "Lexicon",
        "OEL26|oel26|nosuch|<empty>|lexica|Cargo.toml|a b",
    ),
    ("LexiconEncoding", "auto|latin1|ebcdic|"),
    ("DataPath", "lexica|lexica;.;/|<empty>|;;;|nosuch"),
    (
        "Rules",
        "tournament|deluxe|indigo|school|travel|super|SUPER|none|<empty>",
    ),
    (
        "Board",
        "standard15|standard21|SuperCrosswordGame|standard17|<empty>",
    ),
    (
        "LetterDistribution",
        "english|english_super|klingon|<empty>",
    ),
    (
        "ChallengeRule",
        "rules|void|single|double|triple|five_point|ten_point|six",
    ),
    ("players", "2|3|4|1|5|-1"),
    ("Candidates", "1|15|100|0|1000000|1000001"),
    ("Leaves", "auto|none|AUTO|nowhere.klv2|<empty>"),
    ("WordMap", "auto|off|OFF|maybe"),
    ("Nonsense Option", "1"),
];

/// Commands, valid and invalid.
const COMMANDS: [&str; 72] = [
    "siu",
    "ucgi",
    "isready",
    "siunewgame",
    "ucginewgame",
    "help",
    "show",
    "show lexicon",
    "show rules",
    "show nothing",
    "stop",
    "frobnicate",
    "setoption",
    "setoption name",
    "setoption name Candidates",
    "setoption name Log value x",
    "setoption value 3",
    "rack AEINRST",
    "rack AEINRS?",
    "rack ??",
    "rack [A]E[I]NRST",
    "rack [CH]ATE?",
    "rack Q",
    "rack",
    "check 8D.RETINAS",
    "check H4.retinas",
    "check 8G.AB",
    "check h8.CHATTELS.ACEHLST",
    "check 1A.AAAAAAAAAAAAAAA",
    "check A1.AAAAAAAAAAAAAAAAAAAAA",
    "check ex.AEI",
    "check ex.7",
    "check pass",
    "check phony.8D.ZZZ",
    "check HELLO qi ZZZ",
    "check HELLO Q1 8D.AB",
    "state",
    "check rack.AEI",
    "check",
    "go",
    "go gen",
    "go gen candidates 3",
    "go gen candidates 3 movetime 5",
    "go candidates 1000000 movetime 20",
    "go gen infinite",
    "go infinite candidates 1",
    "go auto movetime 10 1time 600000 2time -5 1inc 0 2inc 5",
    "go gen searchmoves 8D.RETINAS 8D.NASTIER pass",
    "go gen alsosearchmoves 8D.AEI ex.AE ex.2 pass candidates 1",
    "go sim iterations 3",
    "go sim iterations 4 depth 3 threads 2 seed 18446744073709551615 stopcondition 98 candidates 5 alsosearchmoves pass",
    "go sim movetime 3 candidates 1000 depth 60",
    "go 1time 100 2time 100 3time 100 4time 100 1inc 5",
    "go sim movetime 5 1time -70000 2time 0",
    "setoption name Threads value 2",
    "setoption name Plies value 4",
    "setoption name Hash value 1",
    "go endgame",
    "go peg",
    "go infer",
    "go gen depth 3 iterations 7 threads 2 seed 9 stopcondition 95 firstwin useinference challenge",
    "position startpos",
    "position startpos moves 8D.RETINAS.AEINRST",
    "position startpos moves 8D.RETINAS.AEINRST.5 ex.3 pass H8.NO.NO?.0.1 phony.G7.QA.AQ rack.AEINRS?",
    "position startpos moves ex.ABC.ABCDEFG ex.1 pass pass pass pass",
    "position eyes all startpos moves 8D.RETINAS.AEINRST pass.ABCDEFG H8.N. racks.AEI/",
    "position startpos moves 8D.RETINAS.AEINRST racks.ABCDEFG/GHIJKLM",
    "position eyes none startpos now",
    "position startpos moves 8D.RAZED.ERZAGDO.1000000.255 7G.FOUD.OUMFDPA.-1000000 9F.OU.OVAPIIU C8.bALATA.LAA?TAN D11.RITT.RATIRTV F8.ZONA.NIIRLAP 15A.MEGS.EGMENSJ 14A.ON.ONNULTL rack.AEIOU",
    "position startpos moves 8E.BECK.ACBKEXT I4.WAGES.ITGASWE 5I.ARROYOS.YORNSOR H1.NONA.AANRLNO F6.ZEE.EYFIIAZ L4.HOX.GEVXPHT rack.RSNIITI",
    "position startpos moves 11H.ROLFS.FSRDLSO H6.HARBOR.BTAOHRF 7C.OUtSPANS.?OSSPNU C3.RENVOY.GVERNAY B1.AJAR.EUAJAIR rack.OOOUPEN",
    "position",
];

/// Positions of two to four players on both boards, early, late and after the end of the game.
const POSITIONS: [&str; 12] = [
    "position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
    "position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINR??/ABC 0/0 5",
    "position cgp 15/15/15/15/15/15/6FOUD5/3RAZED7/5OU8/15/15/15/15/15/15 AAALNT?/AIIPV 25/53 0",
    "position cgp 15/15/15/15/15/15/6FOUD5/2bRAZED7/2A2OU8/2L2N9/2AR1A9/2TI11/2AT11/3T11/MEGS11 LLNNOTU/EJN 67/99 0",
    "position cgp 15/15/15/15/7JANN4/8ME5/6FOUD5/2bRAZED7/2A2OU8/2L2N9/2AR1A1WYLE4/2TI1EUOI1FAY2/2AT2PEN2ROTI/ON1T11/MEGS11 AEGLOST/ISX 154/185 0",
    "position cgp 7N7/7O7/7N6I/7AW2H2N/8ARROYOS/5Z2G2X2I/5E2E5S/4BECKS5T/15/15/15/15/15/15/15 ILMORST/EGPTV/IR 55/46/66 0 var deluxe;",
    "position cgp 7N7/7O7/7N4T1I/FUgLE2AW2HO1N/3OLMS1ARROYOS/5Z2G2XI1I/5E2E3n1S/4BECKS3G1T/4R10/4E10/4E10/4D10/15/15/15 HOOPTUY/NV/EQT 74/98/98 0 var deluxe;",
    "position cgp 21/21/21/21/21/7H13/2OUtSPANS11/7R13/7B13/7O13/7ROLFS9/21/21/21/21/21/21/21/21/21/21 AEGNRVY/DS/FT/ 0/16/22/70 0 var super;",
    "position cgp NAPOO5C10/1J8O10/EAR2JIgGED10/ARE2e4D10/R1N2A4E10/w1V2N1H2R10/I1OUtSPANS11/G1Y4R13/S6B13/7OR12/7ROLFS9/8U12/8X12/21/21/21/21/21/21/21/21 BEMORTT/EHM/CL/AT 77/112/82/190 0 var super;",
    "position cgp 21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21/21 AEIRST?/ 0/0 0",
    "position cgp 15/15/15/15/15/15/15/5ZOO7/15/15/15/15/15/15/15 A/B 1000000/-1000000 6 oru;",
    "position cgp 15/15/15/15/15/15/15/6[A][B]7/15/15/15/15/15/15/15 [Q]U/ 0/0 255 bdn standard15; ld english;",
];
