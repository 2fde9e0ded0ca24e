//! Chance that can be repeated: a seed, and one generator for each unit of work.
//!
//! Units get *mixed* seeds rather than neighbouring streams of one generator,
//! because neighbouring streams of small generators are correlated. A unit is
//! a game, an iteration, a batch: never a thread.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Where all chance in a piece of work comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of unit `unit` of the work that has this seed.
    pub fn for_unit(self, unit: u64) -> Seed {
        Seed(mix(self.0 ^ mix(unit.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// The generator that this seed starts.
    pub fn generator(self) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(mix(self.0))
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection in
/// which each input bit moves about half of the output bits.
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
    fn units_of_neighbouring_seeds_share_no_seed() {
        let seeds: HashSet<Seed> = (0..100)
            .flat_map(|s| (0..100).map(move |unit| Seed(s).for_unit(unit)))
            .collect();
        assert_eq!(seeds.len(), 10_000);
    }
}
