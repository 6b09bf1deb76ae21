//! What a kind of experiment is. The command line, the help text, the reports and the web page know experiments only by
//! these two traits, so a new kind is one folder with an [`Experiment`] and one line in the list of kinds.

use crate::flags::Flag;
use crate::session::{Finish, Session};
use crate::spec::Spec;
use crate::store::Store;

/// A kind of experiment: its command, its flags, and how its description is read.
pub trait Experiment: Sync {
    /// The name of the command, of `experiment = "..."` in a file, and of the kind in a store.
    fn kind(&self) -> &'static str;

    /// Earlier names of the kind; files and stores that have them stay readable.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// One line for `lab help`.
    fn summary(&self) -> &'static str;

    /// A command line that works, for the help of the kind.
    fn example(&self) -> &'static str;

    /// The flags of the command; the same names, with `_` for `-`, are the keys of the file.
    fn flags(&self) -> &'static [Flag];

    /// Keys whose values may change when a run is resumed, such as the number of games.
    fn volatile(&self) -> &'static [&'static str];

    /// Why the shards of a run cannot be merged, where they cannot.
    fn unmergeable(&self) -> Option<&'static str> {
        None
    }

    /// Reads and checks a description. With `stored` the results are there already: input files may be gone, and what
    /// they said is taken from the rows.
    fn read(&self, spec: &Spec, stored: Option<&Store>) -> Result<Box<dyn Plan>, String>;
}

/// A checked description of one experiment, ready to run or to report.
pub trait Plan {
    /// What reports call the experiment.
    fn name(&self) -> &str;

    /// Measures or plays what the store does not have.
    fn run(&self, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String>;

    /// The result in a few lines of text.
    fn table(&self, store: &Store) -> Result<String, String>;

    /// The report, one self-contained HTML page.
    fn render(&self, store: &Store) -> Result<String, String>;

    /// Files that are written beside the report: names and contents.
    fn files(&self, store: &Store) -> Result<Vec<(&'static str, String)>, String> {
        Ok(vec![("rows.csv", store.export_csv().map_err(|error| error.to_string())?)])
    }
}
