//! Runs an experiment of any kind: opens its store, runs what is missing, prints the table, writes the report.

use std::io::Write;
use std::path::Path;

use match_runner::stop::StopFlag;

use crate::failure::Failure;
use crate::flags::Given;
use crate::kind::{Experiment, Plan};
use crate::session::Session;
use crate::store::Store;

/// The name of the report in an experiment's folder.
pub const REPORT: &str = "report.html";

/// What a run writes to, and what ends it early.
pub struct Output<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Progress.
    pub err: &'a mut dyn Write,
    pub stop: &'a StopFlag,
}

/// Runs what is missing in the folder, prints the table, writes the data and the report. Answers the exit code.
pub fn run(
    kind: &dyn Experiment,
    given: &Given,
    directory: &Path,
    output: &mut Output<'_>,
) -> Result<u8, Failure> {
    let spec = &given.spec;
    if let Some(other) = spec.text("experiment")
        && other != kind.kind()
        && !kind.aliases().contains(&other)
    {
        let reason = format!("the file describes '{other}', the command is '{}'", kind.kind());
        return Err(Failure::Usage(reason));
    }
    let plan = kind.read(spec, None)?;
    let names = stored_names(kind);
    let mut store = Store::open_or_create(directory, &names, plan.name(), spec, kind.volatile())?;
    let mut session = Session { progress: output.err, stop: output.stop.clone(), verbose: given.verbose };
    let finish = plan.run(&mut store, &mut session)?;
    conclude(plan.as_ref(), &store, output.out)?;
    Ok(finish.exit_code())
}

/// The names a store of this kind may carry, the present one first.
pub fn stored_names(kind: &dyn Experiment) -> Vec<&'static str> {
    std::iter::once(kind.kind()).chain(kind.aliases().iter().copied()).collect()
}

/// Prints the table of a store, writes its data and its report.
pub fn conclude(plan: &dyn Plan, store: &Store, out: &mut dyn Write) -> Result<(), Failure> {
    print(out, &plan.table(store)?)?;
    for (name, text) in plan.files(store)? {
        write_file(store.directory(), name, &text)?;
    }
    write_report(plan, store, out)
}

/// Writes the report beside its data and says where it lies.
pub fn write_report(plan: &dyn Plan, store: &Store, out: &mut dyn Write) -> Result<(), Failure> {
    write_file(store.directory(), REPORT, &plan.render(store)?)?;
    print_line(out, &format!("report: {}", store.directory().join(REPORT).display()))
}

fn write_file(directory: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = directory.join(name);
    std::fs::write(&path, text).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Prints one line; a name or path in it cannot begin another one.
pub fn print_line(out: &mut dyn Write, line: &str) -> Result<(), Failure> {
    print(out, &(common::escape_control(line) + "\n"))
}

/// A closed pipe on the other side is the reader's choice, anything else is worth an error.
pub fn print(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Failed(format!("cannot write the result: {error}"))),
    }
}
