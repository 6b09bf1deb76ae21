//! Shell completions, from the table.

use super::Command;
use std::fmt::Write as _;

const BUILT_IN: [&str; 4] = ["help", "completions", "man", "version"];

fn names(table: &[Command]) -> String {
    table.iter().map(|command| command.name).chain(BUILT_IN).collect::<Vec<_>>().join(" ")
}

fn flags(command: &Command) -> String {
    command.flags.iter().map(|flag| format!("--{}", flag.name)).collect::<Vec<_>>().join(" ")
}

pub fn bash(table: &[Command]) -> String {
    let mut text = String::from(
        "_tabiya() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\"\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n",
    );
    let _ =
        writeln!(text, "    COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n    return\n  fi", names(table));
    text.push_str("  case \"${COMP_WORDS[1]}\" in\n");
    for command in table {
        let _ = writeln!(
            text,
            "    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;",
            command.name,
            flags(command)
        );
    }
    text.push_str("  esac\n}\ncomplete -o default -F _tabiya tabiya\n");
    text
}

pub fn zsh(table: &[Command]) -> String {
    let mut text = String::from("#compdef tabiya\n_tabiya() {\n  if (( CURRENT == 2 )); then\n");
    let _ = writeln!(text, "    compadd {}\n    return\n  fi\n  case $words[2] in", names(table));
    for command in table {
        let _ = writeln!(text, "    {}) compadd -- {} ;;", command.name, flags(command));
    }
    text.push_str("  esac\n}\n_tabiya \"$@\"\n");
    text
}

pub fn fish(table: &[Command]) -> String {
    let mut text = String::new();
    for command in table {
        let _ = writeln!(
            text,
            "complete -c tabiya -n __fish_use_subcommand -a {} -d '{}'",
            command.name,
            command.summary.replace('\'', "\\'")
        );
        for flag in command.flags {
            let _ = writeln!(
                text,
                "complete -c tabiya -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'",
                command.name,
                flag.name,
                if flag.value.is_some() { " -r" } else { "" },
                flag.help.replace('\'', "\\'")
            );
        }
    }
    text
}
