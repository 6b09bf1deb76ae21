//! `lab import`: games that another program ran, or an exported table, become an experiment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use experiment::failure::Failure;
use experiment::flags::{self, Flag};
use experiment::runner::{conclude, print_line};
use experiment::session::Finish;
use experiment::spec::Node;
use experiment::store::{FILE_NAME, Store};

use crate::experiments::kind_named;
use crate::experiments::tournament::config::{Tournament, VOLATILE};
use crate::experiments::tournament::{import, openbench};

/// The flags of the command.
pub(super) const FLAGS: &[Flag] = &[
    Flag::table("each", "tc=8+0.08 ...", "what the files do not say about the engines"),
    Flag::list("rating", "name=NAME elo=R", "a rating known from elsewhere: an anchor; one flag per engine"),
];

/// `import FILE.pgn..`: games that another program ran; `import openbench FILE..`: what an OpenBench server hands out;
/// `import FILE.csv`: what `lab export DIR csv` wrote.
pub(super) fn run(words: Vec<OsString>, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
    let (mut files, mut given) = flags::read_files(lexopt::Parser::from_args(words), FLAGS)?;
    let from_openbench = files.first().is_some_and(|word| word.as_os_str() == "openbench");
    if from_openbench {
        files.remove(0);
    }
    if files.is_empty() {
        let expected =
            if from_openbench { "archives, PGN files and a result" } else { "one or more PGN files" };
        return Err(Failure::Usage(format!("import: expected {expected}")));
    }
    let directory = given.out.clone().unwrap_or_else(|| PathBuf::from("lab-import"));
    if directory.join(FILE_NAME).exists() {
        let reason = format!("{}: holds an experiment already; choose another --out", directory.display());
        return Err(Failure::Failed(reason));
    }
    if let [file] = &files[..]
        && is_table(file)
    {
        return read_table(file, &directory, out);
    }
    let mut reader = std::mem::take(&mut given.spec).reader("import");
    let each = reader.table("each")?.unwrap_or_default();
    let mut ratings = BTreeMap::new();
    for rating in reader.tables("rating")? {
        let (Some(name), Some(elo)) = (rating.text("name"), rating.text("elo")) else {
            return Err(Failure::Usage("import: a rating needs name=NAME and elo=R".to_owned()));
        };
        ratings.insert(name.to_owned(), elo.to_owned());
    }
    let name = reader.text("name")?;
    let (mut import, told) = if from_openbench {
        openbench::read(&files, each, &ratings)?
    } else {
        (import::read(&files, each, &ratings)?, None)
    };
    if let Some(name) = name {
        import.spec.set("name", Node::Text(name));
    }
    let tournament = Tournament::recall(import.kind, &import.spec)?;
    let kinds = [import.kind.as_str()];
    let store = Store::open_or_create(&directory, &kinds, &tournament.name, &import.spec, &VOLATILE)?;
    if let Some(told) = told {
        store.note_environment("as told", &told)?;
        print_line(out, &told)?;
    }
    for game in &import.games {
        store.record_game(&game.task, 0, (&game.white, &game.black), &game.record)?;
    }
    for reason in &import.left_out {
        // The games matter, not whether anyone reads this.
        let _ = writeln!(err, "left out: {}", common::escape_control(reason));
    }
    conclude(&tournament, &store, out)?;
    let finish = if import.left_out.is_empty() { Finish::Complete } else { Finish::WithFaults };
    Ok(finish.exit_code())
}

/// The most that is read of an exported table.
const TABLE_BYTES: u64 = 1 << 30;

fn is_table(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".csv", ".csv.zst"].iter().any(|end| name.ends_with(end))
}

/// Makes an experiment of an exported table and draws its report.
fn read_table(file: &Path, directory: &Path, out: &mut dyn Write) -> Result<u8, Failure> {
    let failed = |reason: String| Failure::Failed(format!("{}: {reason}", file.display()));
    let mut text = String::new();
    let opened =
        chess::compressed::open(file).and_then(|reader| reader.take(TABLE_BYTES).read_to_string(&mut text));
    opened.map_err(|error| failed(error.to_string()))?;
    let store = Store::import_csv(directory, &text).map_err(failed)?;
    let description = store.description()?;
    let kind = kind_named(&description.kind)
        .ok_or_else(|| failed(format!("unknown kind of experiment '{}'", description.kind)))?;
    conclude(kind.read(&description.spec, Some(&store))?.as_ref(), &store, out)?;
    Ok(0)
}
