//! The checksum of files and the signature of results: FNV-1a with 64 bits (Fowler, Noll and Vo).
//! It detects damage and differences; it is not secure against deliberate forgery.
//!
//! ```
//! use cazique::fnv::Fnv;
//!
//! assert_eq!(Fnv::START.and(b"foo").and(b"bar").sum(), Fnv::of(b"foobar"));
//! ```

/// The hash of the bytes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of no bytes: the offset basis of FNV-1a.
    pub const START: Fnv = Fnv(0xCBF2_9CE4_8422_2325);

    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> u64 {
        Fnv::START.and(bytes).sum()
    }

    /// The hash with `bytes` appended.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Fnv {
        // The factor is the 64-bit prime of FNV.
        let step =
            |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        Fnv(bytes.iter().fold(self.0, step))
    }

    /// The hash as a number.
    pub fn sum(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_test_vectors_hold() {
        assert_eq!(Fnv::of(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv::of(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(
            Fnv::START.and(b"foo").and(b"bar").sum(),
            0x8594_4171_F739_67E8
        );
    }
}
