//! What a mistake index is usually translated to.

/// The usual translation of the mistake index of one game into a level, from the public analyser of
/// the field's largest site. Between the points it is linear.
const LEVELS: [(f64, f64); 14] = [
    (0.0, 2300.0),
    (0.2, 2250.0),
    (0.5, 2200.0),
    (0.8, 2150.0),
    (1.2, 2100.0),
    (1.5, 2050.0),
    (1.7, 2000.0),
    (1.9, 1950.0),
    (2.3, 1900.0),
    (2.6, 1850.0),
    (2.9, 1800.0),
    (3.3, 1750.0),
    (3.8, 1700.0),
    (4.2, 1650.0),
];
/// What each whole point beyond the last costs, from the same source.
const BEYOND: f64 = 125.0;

/// The level of a mistake index: a rough guide.
pub fn level_of_index(index: f64) -> u32 {
    let index = index.max(0.0);
    let [.., last] = LEVELS;
    let between = LEVELS.windows(2).find_map(|pair| {
        let ((from, high), (to, low)) = (pair[0], pair[1]);
        (index <= to).then(|| high + (low - high) * (index - from) / (to - from))
    });
    let level = between.unwrap_or(last.1 - BEYOND * (index - last.0));
    level.max(0.0).round() as u32
}
