//! A token: one execution of one cell, as text that is pasted into a command line and means the same on every machine.
//!
//! `ENGINE:LAYOUT:SCENARIO:SIZE:SCHEDULE.CHECK`, where SIZE is threads, events, snapshots, classes and slots, SCHEDULE is
//! the engine's and has a version, and CHECK tells a token that was pasted whole from one that was not. It consists of
//! characters that a URL and a shell leave alone.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::engine::EngineName;
use crate::scenario::Size;

/// One execution of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The layout's name.
    pub layout: String,
    /// The scenario's name.
    pub scenario: String,
    /// The engine.
    pub engine: EngineName,
    /// The size.
    pub size: Size,
    /// The engine's schedule; see [`replay`](crate::engine::replay()).
    pub schedule: String,
}

impl Token {
    fn without_check(&self) -> String {
        let Self { layout, scenario, engine, size, schedule } = self;
        let Size { threads, events, snapshots, classes, slots } = size;
        format!("{engine}:{layout}:{scenario}:{threads}.{events}.{snapshots}.{classes}.{slots}:{schedule}")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.without_check();
        write!(f, "{text}.{}", check(&text))
    }
}

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = |why: &str| {
            format!(
                "`{text}` is not a token: {why}; expected ENGINE:LAYOUT:SCENARIO:SIZE:SCHEDULE.CHECK, as `check` \
                 prints it with a failure: copy it whole"
            )
        };
        let (rest, found) = text.rsplit_once('.').ok_or_else(|| error("it has no check characters"))?;
        let (engine, fields) = rest.split_once(':').ok_or_else(|| error("it has no `:`"))?;
        // From behind, because the name of a mutant has a colon.
        let [schedule, size, scenario, layout] = fields.rsplitn(4, ':').collect::<Vec<_>>()[..] else {
            return Err(error("it has fewer than five fields"));
        };
        if found != check(rest) {
            return Err(error("its last characters do not fit the others, so something is missing or changed"));
        }
        Ok(Self {
            layout: layout.to_owned(),
            scenario: scenario.to_owned(),
            engine: engine.parse().map_err(|unknown: String| error(&unknown))?,
            size: parse_size(size).ok_or_else(|| error("its size is not five numbers"))?,
            schedule: schedule.to_owned(),
        })
    }
}

fn parse_size(text: &str) -> Option<Size> {
    let numbers: Vec<usize> = text.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [threads, events, snapshots, classes, slots] = numbers[..] else { return None };
    Some(Size { threads, events, snapshots, classes, slots })
}

fn check(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(crc32fast::hash(text.as_bytes()).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> Token {
        Token {
            layout: "mutant:naive_fold".to_owned(),
            scenario: "free_on_another_thread/slots".to_owned(),
            engine: EngineName::ShuttleDfs,
            size: Size { threads: 1, events: 2, snapshots: 3, classes: 4, slots: 5 },
            schedule: "AQ-_".to_owned(),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let text = token().to_string();
        assert!(text.starts_with("shuttle-dfs:mutant:naive_fold:free_on_another_thread/slots:1.2.3.4.5:AQ-_."));
        assert_eq!(text.parse(), Ok(token()));
    }

    #[test]
    fn any_change_is_noticed() {
        let text = token().to_string();
        for index in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'1' { b'2' } else { b'1' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(changed.parse::<Token>().unwrap_err().contains(&format!("`{changed}`")));
            assert!(text[..index].parse::<Token>().is_err());
        }
    }

    #[test]
    fn what_fits_its_check_must_still_be_a_token() {
        for (text, why) in [
            ("graph:slots:claim_race:AQ", "fewer than five"),
            ("graph:slots:claim_race:1.2.3.4:AQ", "five numbers"),
            ("graph:slots:claim_race:1.2.3.4.x:AQ", "five numbers"),
            ("grape:slots:claim_race:1.2.3.4.5:AQ", "no engine `grape`"),
        ] {
            let error = format!("{text}.{}", check(text)).parse::<Token>().unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
