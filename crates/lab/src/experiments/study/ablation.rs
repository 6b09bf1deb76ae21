//! The variants of an ablation: the engine as it is, without one technique each, and the sets of the seed studies.

use kernel::{Technique as _, TechniqueSet};
use search::{Technique, VARIANTS};

use crate::spec::{Node, Spec};

/// The name of the engine with everything on; all others are compared with it.
pub const WHOLE: &str = "all on";

/// Descriptions of the engines to compare. `words` names techniques, `all` (each one taken away) or `seeds` (the sets the
/// seed studies describe); nothing means both.
pub fn engines(words: &[String]) -> Result<Vec<Spec>, String> {
    let words: Vec<&str> = words.iter().flat_map(|word| word.split(',')).map(str::trim).collect();
    let mut engines = vec![engine(WHOLE, "all")];
    let every = words.is_empty();
    let mut without = |technique: Technique| {
        let name = technique.name();
        engines.push(engine(&format!("without {name}"), &format!("all,-{name}")));
    };
    if every || words.contains(&"all") {
        for technique in TechniqueSet::<Technique>::all().iter() {
            without(technique);
        }
    }
    for word in words.iter().filter(|word| !matches!(**word, "all" | "seeds" | "")) {
        let technique = Technique::from_name(word).ok_or_else(|| {
            let known: Vec<&str> = TechniqueSet::<Technique>::all().iter().map(Technique::name).collect();
            format!("ablate: no technique '{word}'; known: {}", known.join(", "))
        })?;
        without(technique);
    }
    if every || words.contains(&"seeds") {
        engines.extend(VARIANTS.iter().map(|variant| engine(variant.name, variant.name)));
        // KLAS's fifth variant is its first with three helpers.
        let mut team = engine("klas-mt", "klas-st");
        team.set_in("options", "Threads", Node::Text("4".to_owned()));
        engines.push(team);
    }
    Ok(engines)
}

fn engine(name: &str, techniques: &str) -> Spec {
    let mut spec = Spec::default();
    spec.set("name", Node::Text(name.to_owned()));
    spec.set("proto", Node::Text("internal".to_owned()));
    spec.set_in("options", "Techniques", Node::Text(techniques.to_owned()));
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_variant_per_technique_and_the_whole_first() {
        let all = engines(&["all".to_owned()]).unwrap();
        assert_eq!(all.len(), TechniqueSet::<Technique>::all().iter().count() + 1);
        assert_eq!(all[0].text("name"), Some(WHOLE));
        let two = engines(&["null-move,killers".to_owned()]).unwrap();
        let names: Vec<Option<&str>> = two.iter().map(|spec| spec.text("name")).collect();
        assert_eq!(names, [Some(WHOLE), Some("without null-move"), Some("without killers")]);
        assert!(engines(&["hope".to_owned()]).unwrap_err().contains("null-move"));
    }
}
