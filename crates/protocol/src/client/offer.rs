//! Options as a UCI engine offers them: what a program that drives it may set, and to what.

/// An `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: String,
    pub control: Control,
}

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    Check {
        default: bool,
    },
    Spin {
        default: i32,
        min: i32,
        max: i32,
    },
    Combo {
        default: String,
        values: Vec<String>,
    },
    /// No value.
    Button,
    /// Any text; often the name of a file.
    Text,
}

impl Offer {
    /// Reads an `option` line; `None` for every other line and for one that says too little.
    pub fn read(line: &str) -> Option<Offer> {
        let rest = line.trim().strip_prefix("option")?.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let (kind, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let control = match kind {
            "check" => Control::Check { default: after(rest, "default").first()? == "true" },
            "spin" => {
                let number = |word| after(rest, word).first()?.parse().ok();
                Control::Spin { default: number("default")?, min: number("min")?, max: number("max")? }
            }
            "combo" => Control::Combo {
                default: after(rest, "default").first()?.clone(),
                values: after(rest, "var"),
            },
            "button" => Control::Button,
            "string" => Control::Text,
            _ => return None,
        };
        Some(Offer { name: name.trim().to_owned(), control })
    }

    /// Whether the option may be set to this. Nothing is known about texts, so none fits.
    pub fn accepts(&self, value: &str) -> bool {
        match &self.control {
            Control::Check { .. } => value == "true" || value == "false",
            Control::Spin { min, max, .. } => {
                value.parse().is_ok_and(|number: i32| (*min..=*max).contains(&number))
            }
            Control::Combo { values, .. } => values.iter().any(|one| one == value),
            Control::Button | Control::Text => false,
        }
    }
}

/// What follows each `word`, up to the next word of the grammar. A value of a combo may have spaces.
fn after(text: &str, word: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut taking = false;
    for part in text.split_whitespace() {
        if matches!(part, "default" | "min" | "max" | "var") {
            taking = part == word;
            if taking {
                found.push(String::new());
            }
        } else if taking && let Some(last) = found.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(part);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Control {
        Offer::read(line).unwrap().control
    }

    #[test]
    fn every_kind_is_read() {
        let offer = Offer::read("option name Move Overhead type spin default 10 min 0 max 5000").unwrap();
        assert_eq!(offer.name, "Move Overhead");
        assert_eq!(offer.control, Control::Spin { default: 10, min: 0, max: 5000 });
        assert_eq!(
            read("option name UCI_ShowWDL type check default false"),
            Control::Check { default: false }
        );
        assert_eq!(
            read("option name Style type combo default Very Solid var Very Solid var Normal var Risky"),
            Control::Combo {
                default: "Very Solid".into(),
                values: vec!["Very Solid".into(), "Normal".into(), "Risky".into()]
            }
        );
        assert_eq!(read("option name Clear Hash type button"), Control::Button);
        assert_eq!(read("option name SyzygyPath type string default <empty>"), Control::Text);
        assert_eq!(read("option name Debug Log File type string default"), Control::Text);
    }

    #[test]
    fn what_says_too_little_is_no_offer() {
        for line in [
            "uciok",
            "option",
            "option name X",
            "option name X type spin default 1 min 0",
            "option name X type spin default many min 0 max 1",
            "option name X type check",
            "option name X type slider default 1",
        ] {
            assert_eq!(Offer::read(line), None, "{line}");
        }
    }

    #[test]
    fn only_what_was_offered_is_accepted() {
        let accepts = |line: &str, value: &str| Offer::read(line).unwrap().accepts(value);
        let spin = "option name X type spin default 1 min -5 max 10";
        assert!(accepts(spin, "-5") && accepts(spin, "10"));
        assert!(!accepts(spin, "11") && !accepts(spin, "1\nquit") && !accepts(spin, ""));
        let combo = "option name X type combo default a b var a b var c";
        assert!(accepts(combo, "a b") && !accepts(combo, "a") && !accepts(combo, ""));
        let check = "option name X type check default true";
        assert!(accepts(check, "false") && !accepts(check, "no"));
        assert!(!accepts("option name X type string default y", "y"));
        assert!(!accepts("option name X type button", ""));
    }
}
