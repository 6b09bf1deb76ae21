//! The variants of an ablation: the engine as it is, without one technique each, and the sets that published studies describe.

use kernel::{Technique as _, TechniqueSet};
use search::{Technique, VARIANTS, Variant};

use experiment::spec::{Node, Spec};

/// The name of the engine with everything on; all others are compared with it.
pub const WHOLE: &str = "all on";

/// Descriptions of the engines to compare. `words` names techniques to take away, variants, `all` (each technique taken
/// away), `published` (the sets that published studies describe; once `seeds`) or `klas` (those of KLAS, Brange 2021); nothing means all of them. What
/// searches without alpha-beta is compared only when named: at any depth worth measuring it takes days.
pub fn engines(words: &[String]) -> Result<Vec<Spec>, String> {
    let words: Vec<&str> = words.iter().flat_map(|word| word.split(',')).map(str::trim).collect();
    let mut engines = vec![engine(WHOLE, "all")];
    let every = words.is_empty();
    let without = |technique: Technique| {
        let name = technique.name();
        engine(&format!("without {name}"), &format!("all,-{name}"))
    };
    if every || words.contains(&"all") {
        let techniques = TechniqueSet::<Technique>::all();
        engines.extend(techniques.iter().filter(|&one| one != Technique::AlphaBeta).map(without));
    }
    for word in words.iter().filter(|word| !matches!(**word, "all" | "published" | "seeds" | "klas" | "")) {
        if let Some(technique) = Technique::from_name(word) {
            engines.push(without(technique));
        } else if let Some(variant) = Variant::named(word) {
            engines.push(engine(variant.name, variant.name));
        } else {
            let techniques = TechniqueSet::<Technique>::all();
            let known =
                techniques.iter().map(Technique::name).chain(VARIANTS.iter().map(|variant| variant.name));
            let known: Vec<&str> = known.collect();
            return Err(format!("ablate: no technique or variant '{word}'; known: {}", known.join(", ")));
        }
    }
    let published = every || words.iter().any(|word| matches!(*word, "published" | "seeds"));
    let klas = words.contains(&"klas");
    if published || klas {
        let described = VARIANTS
            .iter()
            .filter(|variant| variant.name != "minimax" && (published || variant.name.starts_with("klas")));
        engines.extend(described.map(|variant| engine(variant.name, variant.name)));
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
        assert_eq!(
            all.len(),
            TechniqueSet::<Technique>::all().iter().count(),
            "all but alpha-beta, and the whole"
        );
        assert_eq!(all[0].text("name"), Some(WHOLE));
        let two = engines(&["null-move,killers".to_owned()]).unwrap();
        let names: Vec<Option<&str>> = two.iter().map(|spec| spec.text("name")).collect();
        assert_eq!(names, [Some(WHOLE), Some("without null-move"), Some("without killers")]);
        let published = engines(&["published".to_owned()]).unwrap();
        assert_eq!(published.len(), VARIANTS.len() + 1, "all but minimax, and the team");
        let klas = engines(&["klas".to_owned()]).unwrap();
        assert_eq!(klas.len(), 6, "the five of KLAS and the whole");
        assert_eq!(engines(&["minimax".to_owned()]).unwrap().len(), 2);
        assert_eq!(engines(&["alpha-beta".to_owned()]).unwrap().len(), 2);
        assert!(engines(&["nonsense".to_owned()]).unwrap_err().contains("null-move"));
    }
}
