//! The normal distribution, from a table.

use std::sync::OnceLock;

/// Beyond this number of standard deviations the distribution counts as 0 or 1.
const MOST: f64 = 5.0;
/// The entries of the table for one standard deviation. Chosen by hand: interpolation between them
/// errs by less than 2e-5.
const ENTRIES_PER_DEVIATION: usize = 64;
/// The number of entries of the table.
const ENTRIES: usize = 2 * MOST as usize * ENTRIES_PER_DEVIATION + 1;

/// The probability that a standard normal variable is below `z`.
pub(super) fn normal_distribution(z: f64) -> f64 {
    /// Computed once.
    static TABLE: OnceLock<[f64; ENTRIES]> = OnceLock::new();
    let table = TABLE.get_or_init(integral);
    let place = (z + MOST) * ENTRIES_PER_DEVIATION as f64;
    if place <= 0.0 {
        return 0.0;
    }
    let (at, part) = (place as usize, place.fract());
    match table.get(at..at + 2) {
        Some(&[below, above]) => below + (above - below) * part,
        _ => 1.0,
    }
}

/// The integral of the density, by the trapezoidal rule, scaled so that it ends with 1.
fn integral() -> [f64; ENTRIES] {
    let density = |at: usize| {
        let z = at as f64 / ENTRIES_PER_DEVIATION as f64 - MOST;
        (-z * z / 2.0).exp()
    };
    let mut table = [0.0; ENTRIES];
    for at in 1..ENTRIES {
        table[at] = table[at - 1] + (density(at - 1) + density(at)) / 2.0;
    }
    let all = table[ENTRIES - 1];
    table.map(|sum| sum / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of printed tables.
    #[test]
    fn the_distribution_is_that_of_the_tables() {
        for (z, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (-1.0, 0.158_655),
            (1.959_964, 0.975),
            (-2.575_829, 0.005),
            (0.333, 0.630_433),
            (7.0, 1.0),
            (-7.0, 0.0),
        ] {
            let found = normal_distribution(z);
            assert!((found - expected).abs() < 3e-5, "{z}: {found}");
        }
    }
}
