//! Help and the manual page, from the table. Examples come first: most people want one.

use super::Command;
use std::fmt::Write as _;

pub fn overview(table: &[Command]) -> String {
    let mut text = String::from(
        "Tabiya: a chess engine and chess laboratory.\n\n\
         Examples\n  tabiya play                      a game in this terminal\n  \
         tabiya perft 6                   count the game tree from the start position\n  \
         tabiya help perft                what one command can do\n\n\
         Started by a chess program, `tabiya` without arguments is an engine.\n\nCommands\n",
    );
    for command in table {
        let _ = writeln!(text, "  {:12} {}", command.name, command.summary);
    }
    text.push_str(
        "  help         this text, or `tabiya help COMMAND`\n  \
         completions  shell completions: `tabiya completions bash|zsh|fish`\n  \
         man          the manual page, in troff: `tabiya man | man -l -`\n  version      the version\n",
    );
    text
}

fn usage(command: &Command) -> String {
    let mut text = format!("tabiya {}", command.name);
    for argument in command.arguments.split_whitespace() {
        let _ = write!(text, " {argument}");
    }
    for flag in command.flags {
        match flag.value {
            Some(value) => {
                let _ = write!(text, " [--{} {value}]", flag.name);
            }
            None => {
                let _ = write!(text, " [--{}]", flag.name);
            }
        }
    }
    text
}

fn flag_head(flag: &super::Flag) -> String {
    match flag.value {
        Some(value) => format!("--{} {value}", flag.name),
        None => format!("--{}", flag.name),
    }
}

pub fn command(command: &Command) -> String {
    let mut text = format!("{}\n\n", command.summary);
    if !command.examples.is_empty() {
        text.push_str("Examples\n");
        for example in command.examples {
            let _ = writeln!(text, "  {example}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "Usage\n  {}", usage(command));
    if !command.flags.is_empty() {
        text.push_str("\nFlags\n");
        for flag in command.flags {
            let _ = writeln!(text, "  {:22} {}", flag_head(flag), flag.help);
        }
    }
    text
}

/// A manual page in troff.
pub fn manual(table: &[Command]) -> String {
    let escape = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut text = format!(
        ".TH TABIYA 1 \"\" \"Tabiya {}\" \"User Commands\"\n.SH NAME\ntabiya \\- a chess engine and chess laboratory\n\
         .SH SYNOPSIS\n.B tabiya\n[\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]\n.SH DESCRIPTION\n\
         Without arguments, Tabiya is an engine when a program starts it and greets a person at a terminal.\n\
         .SH COMMANDS\n",
        env!("CARGO_PKG_VERSION")
    );
    for command in table {
        let _ = writeln!(text, ".SS {}\n{}", escape(&usage(command)), escape(command.summary));
        for flag in command.flags {
            let _ = writeln!(text, ".TP\n.B {}\n{}", escape(&flag_head(flag)), escape(flag.help));
        }
    }
    text.push_str(".SH EXIT STATUS\n0 success, 1 failure, 2 a command line that makes no sense.\n");
    text
}
