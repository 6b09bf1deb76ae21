//! The list of kinds of experiments. A new kind is one folder here and one line in this list; `README.md` shows how.

use experiment::kind::Experiment;

/// Declares the folders and makes the list [`kinds`] walks: `mod` for a folder here, `use` for one of another crate.
macro_rules! kinds {
    (
        $($(#[$attribute:meta])* mod $folder:ident: $($kind:ident),+;)*
        $(use $package:ident::$module:ident: $($other:ident),+;)*
    ) => {
        $($(#[$attribute])* pub mod $folder;)*

        const KINDS: &[&[&dyn Experiment]] = &[
            $($(#[$attribute])* &[$(&$folder::kind::$kind),+],)*
            $(&[$(&$package::$module::kind::$other),+],)*
        ];
    };
}

kinds! {
    mod tournament: MATCH, SPRT, RATINGS, THREADS_ELO;
    mod spsa: SPSA;
    mod human: HUMAN;
    #[cfg(test)] mod toy: TOY;
    use engine_studies::study: SUITE, TIME_TO_DEPTH, ABLATION;
    use engine_studies::profile: PROFILE;
    use engine_studies::laser: LASER;
}

/// Every kind of experiment, in the order of the help text.
pub fn kinds() -> impl Iterator<Item = &'static dyn Experiment> {
    KINDS.iter().flat_map(|group| group.iter().copied())
}

/// The kind that has this name, or had it in an earlier version.
pub fn kind_named(name: &str) -> Option<&'static dyn Experiment> {
    kinds().find(|kind| kind.kind() == name || kind.aliases().contains(&name))
}
