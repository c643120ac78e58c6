//! Points in time as logs write them.
//!
//! Time zones are not looked at: all times are those that are written in the log.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds in a day.
const DAY: i64 = 86_400_000;

/// The beginnings of the months' names in syslog.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A point in time, in milliseconds since 1970 by the log's own clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(pub(super) i64);

impl Time {
    /// Finds the first time in a text: `2026-01-01 10:00:00.000`, also with a `T` or without the parts of a second, or
    /// `1767261600.000`, the seconds since 1970.
    pub(super) fn find(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let found = match length {
                4 => date_and_time(&bytes[at..]),
                // As `%n` writes it.
                10 if bytes.get(at + 10) == Some(&b'.') => number(&bytes[at..at + 10])
                    .map(|seconds| seconds * 1000 + fraction(&bytes[at + 10..])),
                _ => None,
            };
            if let Some(found) = found {
                return Some(Self(found));
            }
            at += length;
        }
        None
    }

    /// Reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970, told by its digits.
    pub(super) fn of_number(digits: &str) -> Option<Self> {
        let number = digits.parse::<i64>().ok()?;
        match digits.len() {
            10 => number.checked_mul(1000).map(Self),
            13 => Some(Self(number)),
            16 => Some(Self(number / 1000)),
            19 => Some(Self(number / 1_000_000)),
            _ => None,
        }
    }

    /// Reads the beginning of a line of syslog, `Jan  1 10:00:00`, which has no year: the last one in which it is not in the
    /// future.
    pub(super) fn of_syslog(line: &str, now: Self) -> Option<Self> {
        let bytes = line.as_bytes();
        let month = MONTHS.iter().position(|month| line.starts_with(month))?;
        let day = number(bytes.get(4..6)?.trim_ascii_start())?;
        let clock = clock(bytes.get(7..)?)?;
        let month = i64::try_from(month).ok()? + 1;
        let (year, ..) = date(now.0.div_euclid(DAY));
        let in_year = |year| (days(year, month, day) * DAY) + clock;
        // A day more, for another time zone.
        let is_over = in_year(year) <= now.0 + DAY;
        (1..=31).contains(&day).then(|| Self(in_year(if is_over { year } else { year - 1 })))
    }

    pub(super) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or_default())
    }

    /// Formats it as a log does, to the second.
    pub(super) fn shown(self) -> String {
        let (year, month, day) = date(self.0.div_euclid(DAY));
        let seconds = self.0.rem_euclid(DAY) / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

/// An argument of the command line: `2026-01-01`, `2026-01-01 10:00`, or more of it.
impl std::str::FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FULL: &str = "0000-00-00 00:00:00";
        let text = text.trim();
        // What is missing is zero.
        let padded = match text.len() {
            10 | 13 | 16 => [text, &FULL[text.len()..]].concat(),
            _ => text.to_owned(),
        };
        let rest = padded.get(FULL.len()..).unwrap_or_default().trim_start_matches('.');
        let found = date_and_time(padded.as_bytes())
            .filter(|_| rest.bytes().all(|byte| byte.is_ascii_digit()));
        found.map(Self).ok_or_else(|| {
            "expected a time as in the log, without its time zone: 2026-01-01 or 2026-01-01 10:00:00".to_owned()
        })
    }
}

fn date_and_time(bytes: &[u8]) -> Option<i64> {
    let is_date = bytes.len() >= 19
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && matches!(bytes[10], b' ' | b'T' | b't');
    if !is_date {
        return None;
    }
    let (year, month, day) = (number(&bytes[..4])?, number(&bytes[5..7])?, number(&bytes[8..10])?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    Some(days(year, month, day) * DAY + clock(&bytes[11..])?)
}

/// Reads `10:00:00.000`.
fn clock(bytes: &[u8]) -> Option<i64> {
    if bytes.len() < 8 || bytes[2] != b':' || bytes[5] != b':' {
        return None;
    }
    let (hour, minute, second) =
        (number(&bytes[..2])?, number(&bytes[3..5])?, number(&bytes[6..8])?);
    let is_time = hour < 25 && minute < 60 && second < 61;
    is_time.then(|| ((hour * 60 + minute) * 60 + second) * 1000 + fraction(&bytes[8..]))
}

/// Reads `.123` as 123.
fn fraction(bytes: &[u8]) -> i64 {
    let Some((b'.' | b',', digits)) = bytes.split_first() else { return 0 };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.chain([&b'0'; 3]).take(3).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
}

fn number(digits: &[u8]) -> Option<i64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

/// The days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that a leap day is the last
/// one, in eras of 400 years.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, the month and the day of a number of days since 1970-01-01.
fn date(number: i64) -> (i64, i64, i64) {
    // Leap days make it wrong by some years.
    let mut year = 1970 + number.div_euclid(365);
    while days(year, 1, 1) > number {
        year -= 1;
    }
    while days(year + 1, 1, 1) <= number {
        year += 1;
    }
    let month = (1..=12).rev().find(|month| days(year, *month, 1) <= number).unwrap_or(1);
    (year, month, number - days(year, month, 1) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Time = Time(1_767_261_600_000);

    #[test]
    fn times_are_found() {
        for text in [
            "2026-01-01 10:00:00 UTC [7] ",
            "2026-01-01 10:00:00.000 CET [1234-5]: ",
            "<2026-01-01T10:00:00Z",
            "[1767261600.000] ",
            "host 12 2026-01-01 10:00:00",
        ] {
            assert_eq!(Time::find(text), Some(AT), "{text}");
        }
        assert_eq!(Time::find("2026-01-01 10:00:00.25").unwrap().0, AT.0 + 250);
        for text in ["", "2026-01-01", "2026-13-01 10:00:00", "2026-01-01 99:00:00", "1767261600"] {
            assert_eq!(Time::find(text), None, "{text}");
        }
        for digits in ["1767261600", "1767261600000", "1767261600000000", "1767261600000000000"] {
            assert_eq!(Time::of_number(digits), Some(AT));
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let mut last = i64::MIN;
        for year in [0, 1, 1582, 1900, 1969, 1970, 1999, 2000, 2024, 2026, 2100] {
            for month in 1..=12 {
                let day = days(year, month, 1);
                assert!(day > last);
                assert_eq!(date(day), (year, month, 1));
                assert_eq!(date(day + 27), (year, month, 28));
                last = day;
            }
        }
        assert_eq!(
            (days(2024, 3, 1) - days(2024, 2, 28), days(2100, 3, 1) - days(2100, 2, 28)),
            (2, 1)
        );
        assert_eq!(AT.shown(), "2026-01-01 10:00:00");
        assert_eq!(Time::of_syslog("Jan  1 10:00:00 host x", Time(AT.0 + 5)), Some(AT));
        // Last year's.
        let december = Time::of_syslog("Dec 31 10:00:00 host x", AT).unwrap();
        assert_eq!(december.shown(), "2025-12-31 10:00:00");
        assert_eq!(Time::of_syslog("Jux 31 10:00:00 host x", AT), None);
    }

    #[test]
    fn arguments_are_times() {
        for text in
            ["2026-01-01 10", "2026-01-01 10:00", "2026-01-01T10:00:00", "2026-01-01 10:00:00.0"]
        {
            assert_eq!(text.parse(), Ok(AT), "{text}");
        }
        assert_eq!("2026-01-01".parse(), Ok(Time(AT.0 - 10 * 3_600_000)));
        for text in ["", "yesterday", "2026-01-01 10:00:00 UTC", "2026-01-01 10:00:00+01"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
