//! The field's words are found in the sources.

use crate::sources;

/// How a chess programmer looks for a technique.
const ACRONYMS: [&str; 10] = ["LMR", "NMP", "RFP", "LMP", "IIR", "SEE", "MVV-LVA", "TT", "PVS", "SMP"];

#[test]
fn acronyms_lead_to_the_code() {
    let text: String = ["chess", "kernel", "search"]
        .iter()
        .flat_map(|name| sources::files(&format!("crates/{name}/src"), ".rs"))
        .map(|file| sources::read(&file))
        .collect();
    let words: Vec<&str> =
        text.split(|character: char| !character.is_alphanumeric() && character != '-').collect();
    for acronym in ACRONYMS {
        assert!(words.contains(&acronym), "{acronym} is found nowhere");
    }
}
