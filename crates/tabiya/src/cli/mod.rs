//! Commands and flags as one table, from which parsing, help, completions and the manual page all derive.

mod completions;
mod help;
mod parse;
mod suggest;

pub use parse::Parsed;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

pub struct Command {
    pub name: &'static str,
    pub summary: &'static str,
    /// Positional arguments as the usage line shows them, for instance `DEPTH`.
    pub arguments: &'static str,
    pub flags: &'static [Flag],
    pub examples: &'static [&'static str],
    pub run: Run,
}

/// How a command takes its arguments.
#[derive(Clone, Copy)]
pub enum Run {
    /// Read against the flags of its row.
    Parsed(fn(&Parsed) -> Result<(), Failure>),
    /// As they are: the command has a table of its own and answers `--help` itself.
    Raw(fn(&[String]) -> Result<(), Failure>),
}

pub struct Flag {
    pub name: &'static str,
    /// What stands for the value in the help, if the flag takes one.
    pub value: Option<&'static str>,
    pub help: &'static str,
}

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The command line makes no sense: exit 2.
    Usage(String),
    /// It made sense but could not be done: exit 1.
    Failed(String),
    /// A command of its own has already said why: only the code is left.
    Silent(u8),
}

impl Failure {
    #[allow(clippy::needless_pass_by_value)] // so that it fits map_err
    pub fn failed(error: impl ToString) -> Failure {
        Failure::Failed(error.to_string())
    }
}

/// A reader that went away (`tabiya ... | head`) is no failure of ours, but there is nothing left to say.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Failed(error.to_string())
    }
}

pub fn run(table: &[Command], arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let done = arguments.map(word).collect::<Result<Vec<_>, _>>().and_then(|words| dispatch(table, &words));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure),
    }
}

fn word(argument: OsString) -> Result<String, Failure> {
    argument
        .into_string()
        .map_err(|argument| Failure::Usage(format!("'{}' is not UTF-8", argument.to_string_lossy())))
}

fn dispatch(table: &[Command], arguments: &[String]) -> Result<(), Failure> {
    let Some((first, rest)) = arguments.split_first() else {
        return crate::commands::without_arguments();
    };
    match first.as_str() {
        "help" | "--help" | "-h" => match rest.first() {
            None => print(&help::overview(table)),
            Some(name) => match find(table, name)? {
                Command { run: Run::Raw(run), .. } => run(&["help".to_string()]),
                command => print(&help::command(command)),
            },
        },
        "version" | "--version" | "-V" => print(&format!("Tabiya {}\n", env!("CARGO_PKG_VERSION"))),
        "completions" => match rest.first().map(String::as_str) {
            Some("bash") => print(&completions::bash(table)),
            Some("zsh") => print(&completions::zsh(table)),
            Some("fish") => print(&completions::fish(table)),
            _ => Err(Failure::Usage("completions: expected bash, zsh or fish".into())),
        },
        "man" => print(&help::manual(table)),
        // OpenBench hands over whole command lines, as in "genfens 10 seed 1 book None" "quit".
        line if line.contains(char::is_whitespace) => crate::commands::engine_lines(arguments),
        name => {
            let command = find(table, name)?;
            match command.run {
                Run::Raw(run) => run(rest),
                Run::Parsed(_) if rest.iter().any(|argument| argument == "--help" || argument == "-h") => {
                    print(&help::command(command))
                }
                Run::Parsed(run) => run(&Parsed::read(command, rest)?),
            }
        }
    }
}

fn find<'a>(table: &'a [Command], name: &str) -> Result<&'a Command, Failure> {
    table.iter().find(|command| command.name == name).ok_or_else(|| {
        let hint = suggest::closest(name, table.iter().map(|command| command.name));
        Failure::Usage(format!("unknown command '{name}'{hint}; `tabiya help` lists them"))
    })
}

fn print(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn report(failure: &Failure) -> ExitCode {
    let (text, code) = match failure {
        Failure::Usage(text) => (text, 2),
        Failure::Failed(text) => (text, 1),
        Failure::Silent(code) => return ExitCode::from(*code),
    };
    remark(&format!("tabiya: {text}"));
    ExitCode::from(code)
}

/// A line on standard error. One that cannot be written is dropped, where `eprintln!` would end the thread in a panic.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", shown(text));
}

/// A message with the control characters of names and words from outside escaped; its own lines stay.
fn shown(text: &str) -> String {
    text.split('\n').map(common::escape_control).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_does_not_move_the_cursor() {
        assert_eq!(shown("a\u{1b}[2Jb\nc\r"), "a\\u{1b}[2Jb\nc\\r");
    }

    #[test]
    fn no_command_or_flag_is_listed_twice() {
        let names: Vec<_> = crate::commands::TABLE.iter().map(|command| command.name).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{name}");
        }
        for command in &crate::commands::TABLE {
            let flags: Vec<_> = command.flags.iter().map(|flag| flag.name).collect();
            for (i, flag) in flags.iter().enumerate() {
                assert!(!flags[..i].contains(flag), "{} --{flag}", command.name);
            }
        }
    }

    #[test]
    fn a_typo_gets_a_suggestion() {
        let Err(Failure::Usage(text)) = find(&crate::commands::TABLE, "pertf") else { panic!("found") };
        assert!(text.contains("did you mean 'perft'?"), "{text}");
    }
}
