//! The checksum of files and the fingerprint of results: FNV-1a with 64 bits
//! (Fowler, Noll and Vo). It finds damage and differences; it is no proof
//! against somebody who means harm.

/// The sum over the bytes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// The sum of no bytes.
    pub const START: Fnv = Fnv(0xCBF2_9CE4_8422_2325);

    /// The sum of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        Fnv::START.and(bytes).sum()
    }

    /// With these bytes after the others.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Fnv {
        let step =
            |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        Fnv(bytes.iter().fold(self.0, step))
    }

    /// The number.
    pub fn sum(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sums_come_out() {
        assert_eq!(Fnv::of(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv::of(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(
            Fnv::START.and(b"foo").and(b"bar").sum(),
            0x8594_4171_F739_67E8
        );
    }
}
