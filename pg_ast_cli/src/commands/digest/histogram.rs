//! The distribution of times, in a bounded size.

/// The bits of a number's mantissa that tell its bin: sixteen bins from each power of two to the next.
const BITS: u32 = 4;

/// The bits of a number that do not.
const SHIFT: u32 = f64::MANTISSA_DIGITS - 1 - BITS;

/// The least time that is told from others, in milliseconds: PostgreSQL's own unit of a microsecond.
const LEAST: f64 = 0.001;

/// The greatest, some 12 days.
const GREATEST: f64 = 1e9;

/// Counts times in bins, each a sixteenth of a power of two wide. A quantile is the middle of a bin, and thus wrong by 3.2 % at
/// most. There are at most 640 bins, however many times there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Histogram {
    /// Bins with their counts, by time.
    bins: Vec<(u32, u32)>,
}

impl Histogram {
    /// Adds a time in milliseconds.
    pub(super) fn add(&mut self, time: f64) {
        self.add_to(bin(time), 1);
    }

    fn add_to(&mut self, bin: u32, count: u32) {
        match self.bins.binary_search_by_key(&bin, |(bin, _)| *bin) {
            Ok(at) => self.bins[at].1 = self.bins[at].1.saturating_add(count),
            Err(at) => self.bins.insert(at, (bin, count)),
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (bin, count) in &other.bins {
            self.add_to(*bin, *count);
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.bins.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Returns the time that this share of all times does not exceed.
    pub(super) fn quantile(&self, share: f64) -> Option<f64> {
        let count = self.len();
        #[allow(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss
        )]
        let rank = ((share * count as f64).ceil() as u64).clamp(1, count.max(1));
        let mut below = 0;
        self.bins.iter().find_map(|(bin, count)| {
            below += u64::from(*count);
            (below >= rank).then(|| middle(*bin))
        })
    }

    /// Returns the number of times below each power of ten from 0.1 ms on, and of all others.
    pub(super) fn decades(&self) -> Vec<(f64, u64)> {
        let mut decades: Vec<(f64, u64)> = Vec::new();
        for (bin, count) in &self.bins {
            let mut end = 0.1;
            while middle(*bin) >= end && end < GREATEST {
                end *= 10.0;
            }
            match decades.last_mut().filter(|(last, _)| last.to_bits() == end.to_bits()) {
                Some((_, sum)) => *sum += u64::from(*count),
                None => decades.push((end, u64::from(*count))),
            }
        }
        decades
    }
}

fn bin(time: f64) -> u32 {
    let time = if time.is_nan() { LEAST } else { time.clamp(LEAST, GREATEST) };
    u32::try_from(time.to_bits() >> SHIFT).unwrap_or(u32::MAX)
}

fn middle(bin: u32) -> f64 {
    f64::from_bits((u64::from(bin) << SHIFT) | (1 << (SHIFT - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sorted times themselves.
    #[test]
    fn quantiles_are_wrong_by_three_percent_at_most() {
        let mut state = 7_u64;
        for spread in [1, 8, 30] {
            let mut histogram = Histogram::default();
            let mut times: Vec<f64> = (0..10_000)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let share =
                        f64::from(u32::try_from(state >> 32).unwrap()) / f64::from(u32::MAX);
                    0.001 * 2_f64.powf(f64::from(spread) * share)
                })
                .collect();
            for time in &times {
                histogram.add(*time);
            }
            times.sort_by(f64::total_cmp);
            for (share, rank) in
                [(0.01, 100), (0.5, 5_000), (0.95, 9_500), (0.99, 9_900), (1.0, 10_000)]
            {
                let exact = times[rank - 1];
                let found = histogram.quantile(share).unwrap();
                assert!((found / exact - 1.0).abs() < 0.032, "{share}: {found} for {exact}");
            }
            assert_eq!(histogram.len(), 10_000);
            assert_eq!(histogram.decades().iter().map(|(_, count)| count).sum::<u64>(), 10_000);
        }
    }

    #[test]
    fn the_size_is_bounded_whatever_the_times_are() {
        let mut histogram = Histogram::default();
        for bits in 0..1_u64 << 17 {
            histogram.add(f64::from_bits(bits << 47));
        }
        assert!(histogram.bins.len() <= 650, "{}", histogram.bins.len());
        assert_eq!(Histogram::default().quantile(0.95), None);
    }
}
