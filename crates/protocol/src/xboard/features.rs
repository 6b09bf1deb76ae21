//! What the engine can do, told after `protover 2`.

use crate::session::Identity;
use engine::{OptionKind, OptionTable};
use std::fmt::Write as _;

/// Options that have commands of their own in this protocol.
const ELSEWHERE: [&str; 5] = ["Hash", "Threads", "Ponder", "UCI_Chess960", "UCI_AnalyseMode"];

pub fn lines(identity: &Identity) -> String {
    let mut text = String::from("feature done=0\n");
    text.push_str(
        "feature ping=1 setboard=1 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 nps=1 \
         memory=1 smp=1 egt=\"syzygy\" exclude=1 name=1 debug=1\n",
    );
    text.push_str("feature variants=\"normal,fischerandom\"\n");
    let _ = writeln!(text, "feature myname=\"{}\"", identity.name);
    for spec in OptionTable::all().iter().filter(|spec| !ELSEWHERE.contains(&spec.name)) {
        let kind = match spec.kind {
            OptionKind::Check { default } => format!("-check {}", u8::from(default)),
            OptionKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
            OptionKind::Text { default } => format!("-string {default}"),
            // The star marks the default.
            OptionKind::Choice { default, values, .. } => {
                let marked = values
                    .iter()
                    .map(|value| if *value == default { format!("*{value}") } else { (*value).to_string() });
                format!("-combo {}", marked.collect::<Vec<_>>().join(" /// "))
            }
            OptionKind::Button => "-button".to_string(),
        };
        let _ = writeln!(text, "feature option=\"{} {}\"", spec.name, kind.trim_end());
    }
    text.push_str("feature done=1\n");
    text
}
