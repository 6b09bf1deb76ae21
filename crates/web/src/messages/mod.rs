//! The messages between the page and the server. Typed on both sides: the page's types are generated from these
//! (`web/src/messages.ts`), and a test holds that file to them. Nothing here carries a protocol's words or names a file.

mod command;
mod event;
mod lab;
mod laser;
mod own;
mod settings;
mod shared;

pub use command::Command;
pub use event::{
    AnalysisLine, CoachReport, CoachedMove, EngineFacts, Event, Experiment, ExplorerMove, GameSummary,
    GameView, Imported, ImportedGame, OptionControl, OptionFact, OwnResults, PeopleMove, Review,
    ReviewedMove, Sharing, SideReview, Status,
};
pub use lab::{LabPlayer, LabStart, LabStudy};
pub use laser::{LaserLine, LaserMove, LaserPiece, LaserPly, LaserView};
pub use own::{
    OwnFilter, OwnGame, OwnGames, OwnImport, OwnProgress, OwnReviewing, PhaseErrors, ProgressPoint,
    ThemeErrors,
};
#[cfg(test)]
pub use settings::Opponent;
pub use settings::{AnalysisSettings, ClockSettings, GameSettings, Odds, SideChoice, Start};
pub use shared::{
    Clocks, Label, Line, Node, OpenedGame, PuzzleFacts, Side, Slot, StudySummary, StudyView, Worth,
};

#[cfg(test)]
mod tests;
