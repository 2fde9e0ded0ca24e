//! Reproducible randomness: a seed, and one random generator for each unit of work.
//!
//! Units get *mixed* seeds rather than neighbouring streams of one generator,
//! because neighbouring streams of small generators are correlated. A unit is
//! a game, an iteration or a batch, never a thread, so that results do not
//! depend on the number of threads.
//!
//! ```
//! use cazique::seed::Seed;
//!
//! let game = Seed(7).for_unit(3);
//! assert_eq!(game, Seed(7).for_unit(3));
//! assert_ne!(game, Seed(7).for_unit(4));
//! ```

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// The start of all random numbers of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of unit number `unit` of the work that has this seed. The constant is 2^64 divided by
    /// the golden ratio, the increment of SplitMix64.
    pub fn for_unit(self, unit: u64) -> Seed {
        Seed(mix(self.0 ^ mix(unit.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// The random generator that starts with this seed.
    pub fn generator(self) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(mix(self.0))
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014), with its published constants: a
/// bijection in which each input bit changes about half of the output bits.
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn neighbouring_seeds_give_different_seeds_to_all_units() {
        let seeds: HashSet<Seed> = (0..100)
            .flat_map(|s| (0..100).map(move |unit| Seed(s).for_unit(unit)))
            .collect();
        assert_eq!(seeds.len(), 10_000);
    }
}
