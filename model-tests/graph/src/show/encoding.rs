//! Schedules as text: numbers, in as few bytes as may be, and a fingerprint of the execution behind them. For every engine
//! whose schedules are numbers.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Writes a schedule: it is base64 (the alphabet for URLs) of a version, numbers in groups of seven bits, lowest first,
/// and the four bytes of the fingerprint.
pub fn write(version: u8, numbers: impl IntoIterator<Item = u64>, fingerprint: u32) -> String {
    let mut bytes = vec![version];
    numbers.into_iter().for_each(|number| push(&mut bytes, number));
    bytes.extend(fingerprint.to_le_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a schedule: its numbers and its fingerprint. `Err` says why it is none.
pub fn read(version: u8, schedule: &str) -> Result<(Vec<u64>, u32), String> {
    let bytes = URL_SAFE_NO_PAD.decode(schedule).map_err(|error| error.to_string())?;
    let cut = || "it is cut off".to_owned();
    let (numbers, fingerprint) = bytes.split_last_chunk::<4>().ok_or_else(cut)?;
    let (&found, mut numbers) = numbers.split_first().ok_or_else(cut)?;
    if found != version {
        return Err(format!("it is of version {found}, and this program writes and reads version {version}"));
    }
    let mut read = Vec::new();
    while !numbers.is_empty() {
        read.push(take(&mut numbers).ok_or_else(cut)?);
    }
    Ok((read, u32::from_le_bytes(*fingerprint)))
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let numbers = vec![0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let schedule = write(3, numbers.iter().copied(), 0xdead_beef);
        assert_eq!(read(3, &schedule), Ok((numbers, 0xdead_beef)));
        assert!(read(4, &schedule).unwrap_err().contains("version 3"));
        assert_eq!(read(3, &write(3, [], 7)), Ok((vec![], 7)));
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in ["", "A", "AAAA", "no schedule!", "AwEBAQE="] {
            assert!(read(3, text).is_err(), "{text}");
        }
        let unfinished = URL_SAFE_NO_PAD.encode([3, 0x80, 1, 2, 3, 4]);
        assert!(read(3, &unfinished).unwrap_err().contains("cut off"));
    }
}
