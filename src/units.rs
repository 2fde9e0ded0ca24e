//! The quantities of the game, each with its own type, and how they are spelled.
//!
//! Nothing here knows a rule: a number gets its unit here and keeps it.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

/// What the scorekeeper writes down: whole points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub i32);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);
    /// The largest total that is read from outside, either side of zero. No
    /// game comes near it, and sums of such totals cannot overflow.
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

/// A text that is not a number of points; its beginning if it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPoints(pub String);

impl fmt::Display for NotPoints {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let limit = Points::LIMIT;
        write!(
            f,
            "'{}' is not a whole number from -{limit} to {limit}",
            self.0
        )
    }
}

impl std::error::Error for NotPoints {}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

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

/// A valuation in thousandths of a point, from the mover's side. An integer,
/// so that sums do not depend on the order in which they are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Equity(i32);

impl Equity {
    /// Worth nothing either way.
    pub const ZERO: Equity = Equity(0);

    /// From thousandths of a point.
    pub const fn from_millis(millis: i32) -> Equity {
        Equity(millis)
    }

    /// In thousandths of a point.
    pub const fn millis(self) -> i32 {
        self.0
    }

    /// How far someone is ahead with so many points more. Beyond half of
    /// [`Points::LIMIT`] all leads are the same, so that their differences
    /// have room: no game comes near that, but a position from outside may.
    pub fn from_lead(points: Points) -> Equity {
        let most = Points::LIMIT / 2;
        Equity(points.0.clamp(-most, most) * 1_000)
    }

    /// From a decimal number of points, rounded to the nearest thousandth;
    /// `None` for what is not a number or beyond [`Points::LIMIT`].
    pub fn from_points(points: f64) -> Option<Equity> {
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

impl Add for Equity {
    type Output = Equity;
    fn add(self, other: Equity) -> Equity {
        Equity(self.0 + other.0)
    }
}

impl Sub for Equity {
    type Output = Equity;
    fn sub(self, other: Equity) -> Equity {
        Equity(self.0 - other.0)
    }
}

impl Neg for Equity {
    type Output = Equity;
    fn neg(self) -> Equity {
        Equity(-self.0)
    }
}

/// A chance to win, draws counting half. An integer, so that sums do not
/// depend on the order in which they are made, in parts of which a half is a
/// whole number and which fit into two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WinProb(u16);

impl WinProb {
    /// So many parts are certainty.
    pub const SCALE: u16 = 50_000;
    /// No chance.
    pub const LOST: WinProb = WinProb(0);
    /// As good as a draw.
    pub const DRAWN: WinProb = WinProb(WinProb::SCALE / 2);
    /// Certainty.
    pub const WON: WinProb = WinProb(WinProb::SCALE);

    /// From parts of [`WinProb::SCALE`]; more than certainty is certainty.
    pub fn from_parts(parts: u16) -> WinProb {
        WinProb(parts.min(WinProb::SCALE))
    }

    /// From a share of 1, to the nearest part.
    pub fn from_probability(share: f64) -> WinProb {
        WinProb::from_parts((share * f64::from(WinProb::SCALE)).round() as u16)
    }

    /// In parts of [`WinProb::SCALE`].
    pub fn parts(self) -> u16 {
        self.0
    }

    /// As a share of 1.
    pub fn probability(self) -> f64 {
        f64::from(self.0) / f64::from(WinProb::SCALE)
    }

    /// The chance of the only opponent.
    #[must_use]
    pub fn complement(self) -> WinProb {
        WinProb(WinProb::SCALE - self.0)
    }

    /// What lies halfway between two chances.
    #[must_use]
    pub fn mean(self, other: WinProb) -> WinProb {
        WinProb(self.0.midpoint(other.0))
    }

    /// The chance that both come true, if neither depends on the other.
    #[must_use]
    pub fn and(self, other: WinProb) -> WinProb {
        let product = u32::from(self.0) * u32::from(other.0);
        WinProb((product / u32::from(WinProb::SCALE)) as u16)
    }
}

/// The logistic curve: the share of wins by odds, the logarithm of how many wins there are for each loss.
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equity_is_spelled_in_points_without_idle_zeros() {
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
        // The last one has no absolute value.
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
