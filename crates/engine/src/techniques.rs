//! Reading which techniques to study.

use kernel::Technique as _;
use kernel::TechniqueSet;
use search::{Technique, Variant};

/// `all,-null-move` takes away, `none,table,killers` adds, and a variant's name stands for its set.
pub fn parse(text: &str) -> Result<TechniqueSet<Technique>, String> {
    let mut set = TechniqueSet::all();
    for (index, word) in text.split(',').map(str::trim).enumerate() {
        set = match word {
            "all" => TechniqueSet::all(),
            "none" => TechniqueSet::EMPTY,
            _ => match word.strip_prefix('-') {
                Some(name) => set.without(named(name)?),
                None => match Variant::named(word) {
                    Some(variant) if index == 0 => variant.set(),
                    _ => set.with(named(word)?),
                },
            },
        };
    }
    Ok(set)
}

fn named(name: &str) -> Result<Technique, String> {
    Technique::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = TechniqueSet::<Technique>::all().iter().map(Technique::name).collect();
        format!("no technique or variant is called '{name}'; known: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_by_subtraction_and_by_addition() {
        let set = parse("all,-null-move").unwrap();
        assert!(!set.contains(Technique::NullMove) && set.contains(Technique::Killers));
        let set = parse("none, table").unwrap();
        assert_eq!(set.iter().count(), 1);
        assert!(parse("all,-nonsense").unwrap_err().contains("null-move"));
    }
}
