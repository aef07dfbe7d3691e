//! Pseudorandom numbers from a seed: a failure can be reproduced.

/// A fast generator without any other qualities (`SplitMix64`). Its numbers stay the same forever.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator that always makes the same numbers from this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound, which must be above zero.
    pub fn below<N: TryFrom<u64> + TryInto<u64>>(&mut self, bound: N) -> N {
        let bound = bound.try_into().unwrap_or_else(|_| panic!("the bound is not a count"));
        N::try_from(self.number() % bound).unwrap_or_else(|_| panic!("it is below the bound"))
    }

    /// Returns true `part` times out of `whole`, on average.
    pub fn chance(&mut self, part: u64, whole: u64) -> bool {
        self.below(whole) < part
    }

    /// Returns one of a list's items.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
