//! Short strings of symbols packed into one integer.
//!
//! The graph builder sorts words, reversed prefixes and leaves. As integers they are small
//! and compare fast. A symbol takes six bits and the first symbol stands highest, so integers
//! compare as strings do: the end of a string, six zero bits, sorts before every symbol.
//!
//! The build script compiles this file too, so it uses nothing of the rest of the library.

/// The most letters of a word: the side of the largest board, 21 squares.
pub const MAX_WORD_LETTERS: usize = 21;

/// The bits of a symbol: 21 symbols of 6 bits fit into 128 bits.
const SYMBOL_BITS: u32 = 6;

/// Up to [`MAX_WORD_LETTERS`] symbols, each from 1 to 63. Strings compare in alphabetical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SymbolString(u128);

impl SymbolString {
    /// The string with these symbols; `None` if there are more than [`MAX_WORD_LETTERS`].
    pub(super) fn new(symbols: impl IntoIterator<Item = u8>) -> Option<SymbolString> {
        let mut string = SymbolString::default();
        for (at, symbol) in symbols.into_iter().enumerate() {
            if at == MAX_WORD_LETTERS {
                return None;
            }
            string.set(at, symbol);
        }
        Some(string)
    }

    /// The number of symbols.
    pub(super) fn len(self) -> usize {
        match self.0.trailing_zeros() {
            128 => 0,
            zeros => ((127 - zeros) / SYMBOL_BITS + 1) as usize,
        }
    }

    /// The symbol at an index; 0 after the last symbol.
    #[inline]
    pub(super) fn symbol(self, at: usize) -> u8 {
        (self.0 >> shift(at)) as u8 & 63
    }

    /// Puts a symbol at an index that is still empty.
    #[inline]
    pub(super) fn set(&mut self, at: usize, symbol: u8) {
        self.0 |= u128::from(symbol & 63) << shift(at);
    }

    /// The first `len` symbols.
    pub(super) fn truncated(self, len: usize) -> SymbolString {
        match len {
            0 => SymbolString(0),
            _ => SymbolString(self.0 >> shift(len - 1) << shift(len - 1)),
        }
    }

    /// The length of the prefix that both strings share.
    pub(super) fn common_prefix(self, other: SymbolString) -> usize {
        ((self.0 ^ other.0).leading_zeros() / SYMBOL_BITS) as usize
    }

    /// The symbols in order.
    pub(super) fn symbols(self) -> impl Iterator<Item = u8> {
        (0..self.len()).map(move |at| self.symbol(at))
    }
}

/// The bit position of the symbol at an index.
#[inline]
fn shift(at: usize) -> u32 {
    128 - SYMBOL_BITS * (at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_prefixes_are_counted_and_cut() {
        let string = |symbols: &[u8]| SymbolString::new(symbols.iter().copied()).unwrap();
        assert_eq!(string(&[3, 4, 5]).common_prefix(string(&[3, 4, 6, 7])), 2);
        assert_eq!(string(&[3, 4]).common_prefix(string(&[3, 4, 6])), 2);
        assert_eq!(string(&[3]).common_prefix(string(&[4])), 0);
        assert_eq!(string(&[3, 4, 5]).truncated(2), string(&[3, 4]));
        assert_eq!(string(&[3, 4, 5]).truncated(0), string(&[]));
    }
}
