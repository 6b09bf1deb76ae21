//! The page's types are the server's.

use super::*;
use std::path::Path;
use ts_rs::TS;

/// Every type the page sees, in the order the file has them.
fn generated() -> String {
    let mut text = String::from(
        "// Generated from the Rust types in crates/web/src/messages. Do not edit:\n\
         // `TABIYA_WRITE_MESSAGES=1 cargo test -p web messages` writes it anew.\n",
    );
    macro_rules! export {
        ($($name:ty),* $(,)?) => { $(
            text.push_str("\nexport ");
            text.push_str(&<$name>::decl());
            text.push('\n');
        )* };
    }
    export!(
        Side,
        Slot,
        Line,
        Node,
        OpenedGame,
        PuzzleFacts,
        StudySummary,
        StudyView,
        Worth,
        Clocks,
        Label,
        SideChoice,
        Opponent,
        ClockSettings,
        Start,
        Odds,
        GameSettings,
        AnalysisSettings,
        Command,
        OptionFact,
        OptionControl,
        EngineFacts,
        Status,
        GameView,
        GameSummary,
        AnalysisLine,
        Sharing,
        ReviewedMove,
        SideReview,
        Review,
        PeopleMove,
        ExplorerMove,
        OwnResults,
        CoachedMove,
        CoachReport,
        ImportedGame,
        Imported,
        Experiment,
        LabStudy,
        LabPlayer,
        LabStart,
        OwnFilter,
        OwnGame,
        OwnGames,
        OwnImport,
        OwnReviewing,
        ProgressPoint,
        PhaseErrors,
        ThemeErrors,
        OwnProgress,
        LaserPiece,
        LaserMove,
        LaserPly,
        LaserView,
        LaserLine,
        Event,
    );
    text
}

#[test]
fn the_generated_file_is_current() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/messages.ts"));
    let wanted = generated();
    if std::env::var_os("TABIYA_WRITE_MESSAGES").is_some() {
        std::fs::write(path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == wanted, "web/src/messages.ts is stale: run with TABIYA_WRITE_MESSAGES=1");
}

#[test]
fn commands_are_read_as_the_page_writes_them() {
    for text in [
        r#"{"type":"move","text":"e2e4","ply":0}"#,
        r#"{"type":"take_back"}"#,
        r#"{"type":"analyse","slot":"first","line":{"start":null,"moves":[]},
            "settings":{"lines":3,"threads":1,"hash_megabytes":64},"threat":false}"#,
        r#"{"type":"new_game","settings":{"side":"random","opponent":{"level":1500},"clock":null,"engine_clock":null,
            "start":{"kind":"chess960","number":null},"odds":"none","natural":true,"ponder":false}}"#,
    ] {
        serde_json::from_str::<Command>(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// Rule 6: there is no command that carries a protocol's line.
#[test]
fn nothing_but_the_listed_commands_is_understood() {
    for text in [
        r#"{"type":"uci","text":"setoption name SyzygyPath value /etc"}"#,
        r#"{"type":"set_option","name":"BookFile","value":"/etc/passwd"}"#,
        r#"{"type":"move","text":"e2e4","ply":0,"raw":"go infinite"}"#,
        "position startpos",
        "",
    ] {
        assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
    }
}
