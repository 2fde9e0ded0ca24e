//! The quantities of the game, each with its own type, and how they are written as text.
//!
//! Nothing here knows a rule of the game.
//!
//! ```
//! use cazique::units::{Equity, Points};
//!
//! let equity = Equity::from(Points(24)) + Equity::from_millis(-1_500);
//! assert_eq!(equity.to_string(), "22.5");
//! ```

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

/// A score, or a difference of scores, in whole points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub i32);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);
    /// The largest absolute value accepted in input. No game comes near it, and it leaves room
    /// for sums of many such values in an `i32`.
    pub const LIMIT: i32 = 1_000_000;
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Points {
    type Err = NotPoints;

    fn from_str(text: &str) -> Result<Points, NotPoints> {
        match text.parse::<i32>() {
            Ok(n) if (-Points::LIMIT..=Points::LIMIT).contains(&n) => Ok(Points(n)),
            _ => Err(NotPoints(text.chars().take(40).collect())),
        }
    }
}

/// A text that is not a number of points; only its first 40 characters are kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a whole number from -{limit} to {limit}", limit = Points::LIMIT)]
pub struct NotPoints(pub String);

/// Addition, subtraction and negation for a type that wraps one number.
macro_rules! additive {
    ($unit:ident) => {
        impl Add for $unit {
            type Output = $unit;
            fn add(self, other: $unit) -> $unit {
                $unit(self.0 + other.0)
            }
        }

        impl Sub for $unit {
            type Output = $unit;
            fn sub(self, other: $unit) -> $unit {
                $unit(self.0 - other.0)
            }
        }

        impl Neg for $unit {
            type Output = $unit;
            fn neg(self) -> $unit {
                $unit(-self.0)
            }
        }
    };
}

additive!(Points);
additive!(Equity);

impl Mul<i32> for Points {
    type Output = Points;
    fn mul(self, times: i32) -> Points {
        Points(self.0 * times)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        self.0 += other.0;
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, other: Points) {
        self.0 -= other.0;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::ZERO, Add::add)
    }
}

/// The value of a move in thousandths of a point, for the player to move. It is an integer, so
/// that a sum does not depend on the order of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Equity(i32);

impl Equity {
    /// No advantage for anyone.
    pub const ZERO: Equity = Equity(0);

    /// From thousandths of a point.
    pub const fn from_millis(millis: i32) -> Equity {
        Equity(millis)
    }

    /// In thousandths of a point.
    pub const fn millis(self) -> i32 {
        self.0
    }

    /// The equity of a lead. Leads are clamped to half of [`Points::LIMIT`], so that the
    /// difference of two of them cannot overflow: no game comes near that, but a position read
    /// from input may.
    pub(crate) fn from_lead(points: Points) -> Equity {
        let most = Points::LIMIT / 2;
        Equity(points.0.clamp(-most, most) * 1_000)
    }

    /// From a decimal number of points, rounded to the nearest thousandth; `None` for NaN and for
    /// values beyond [`Points::LIMIT`].
    pub(crate) fn from_points(points: f64) -> Option<Equity> {
        let small = points.abs() <= f64::from(Points::LIMIT);
        small.then(|| Equity((points * 1_000.0).round() as i32))
    }
}

impl From<Points> for Equity {
    fn from(points: Points) -> Equity {
        Equity(points.0 * 1_000)
    }
}

/// Written in points with up to three decimals: `12`, `-0.5`, `3.125`.
impl fmt::Display for Equity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 1_000, self.0.unsigned_abs() % 1_000);
        let decimals = format!("{part:03}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            kept => write!(f, "{sign}{whole}.{kept}"),
        }
    }
}

/// A win probability; a draw counts one half. It is an integer, so that a sum does not depend on
/// the order of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WinProb(u16);

impl WinProb {
    /// The number of parts that make certainty. It is even, so that a draw is a whole number of
    /// parts, and it fits into two bytes.
    pub const SCALE: u16 = 50_000;
    /// A certain loss.
    pub const LOST: WinProb = WinProb(0);
    /// A certain draw.
    pub const DRAWN: WinProb = WinProb(WinProb::SCALE / 2);
    /// A certain win.
    pub const WON: WinProb = WinProb(WinProb::SCALE);

    /// From parts of [`WinProb::SCALE`]; larger values count as certainty.
    pub fn from_parts(parts: u16) -> WinProb {
        WinProb(parts.min(WinProb::SCALE))
    }

    /// From a probability between 0 and 1, rounded to the nearest part.
    pub fn from_probability(probability: f64) -> WinProb {
        WinProb::from_parts((probability * f64::from(WinProb::SCALE)).round() as u16)
    }

    /// In parts of [`WinProb::SCALE`].
    pub fn parts(self) -> u16 {
        self.0
    }

    /// As a number between 0 and 1.
    pub fn probability(self) -> f64 {
        f64::from(self.0) / f64::from(WinProb::SCALE)
    }

    /// The win probability of the opponent, in a game of two.
    #[must_use]
    pub fn complement(self) -> WinProb {
        WinProb(WinProb::SCALE - self.0)
    }

    /// The mean of two win probabilities.
    #[must_use]
    pub fn mean(self, other: WinProb) -> WinProb {
        WinProb(self.0.midpoint(other.0))
    }

    /// The probability of two independent events together.
    #[must_use]
    pub fn and(self, other: WinProb) -> WinProb {
        let product = u32::from(self.0) * u32::from(other.0);
        WinProb((product / u32::from(WinProb::SCALE)) as u16)
    }
}

/// The logistic function: the win probability `p` for log-odds `ln(p / (1 - p))`.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equity_is_written_in_points_without_trailing_zeros() {
        for (millis, text) in [
            (12_000, "12"),
            (-500, "-0.5"),
            (3_125, "3.125"),
            (-7_010, "-7.01"),
            (0, "0"),
        ] {
            assert_eq!(Equity(millis).to_string(), text);
        }
    }

    #[test]
    fn points_beyond_the_limit_are_refused() {
        assert_eq!("-17".parse(), Ok(Points(-17)));
        // The last one is `i32::MIN`, which has no absolute value in an `i32`.
        for text in [
            "1000001",
            "99999999999999",
            "",
            "1.5",
            "--1",
            "-1000001",
            "-2147483648",
        ] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_equity_is_rounded_to_the_nearest_thousandth() {
        assert_eq!(Equity::from_points(28.2914), Some(Equity(28_291)));
        assert_eq!(Equity::from_points(-7.6536), Some(Equity(-7_654)));
        assert_eq!(Equity::from_points(f64::NAN), None);
        assert_eq!(Equity::from_points(1e12), None);
    }
}
