//! The library in a database and on plain files.

use super::progress::Reviewed;
use super::store::Library;
use super::store_files::Library as FileLibrary;
use crate::memory_files::MemoryFiles;
use crate::messages::OwnFilter;
use crate::openings::Openings;

const GAMES: &str = "[White \"Ann\"]\n[Black \"bob\"]\n[Date \"2026.01.02\"]\n[TimeControl \"300+3\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 {good} 1-0\n\n[White \"bob\"]\n[Black \"Ann\"]\n[Date \"2026.03.04\"]\n[Result \"1-0\"]\n\n\
    1. d4 d5 2. c4 (2. Nf3) 1-0\n\n[White \"x\"]\n[Black \"y\"]\n\n1. e4 e5 2. Zz9 *\n";

fn library(name: &str) -> Library {
    let folder = std::env::temp_dir().join(format!("tabiya-library-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    Library::open(&folder).unwrap()
}

#[test]
fn games_are_kept_once_and_found_by_what_they_are() {
    let library = library("filter");
    let openings = Openings::embedded();
    let first = library.import(GAMES.as_bytes(), &openings).unwrap();
    assert_eq!((first.added, first.known, first.unreadable), (2, 0, 1));
    assert_eq!(first.players, ["Ann", "bob"]);
    assert_eq!(library.import(GAMES.as_bytes(), &openings).unwrap().known, 2);
    library.set_names(&["ann".to_string()]).unwrap();
    let count = |filter: OwnFilter| library.list(&filter).unwrap().total;
    let all = library.list(&OwnFilter::default()).unwrap();
    assert_eq!((all.total, all.wins, all.losses, all.games[0].date.as_str()), (2, 1, 1, "2026.03.04"));
    assert_eq!(count(OwnFilter { white: Some(true), ..OwnFilter::default() }), 1);
    assert_eq!(count(OwnFilter { half_points: Some(1), ..OwnFilter::default() }), 0);
    assert_eq!(count(OwnFilter { speed: Some("blitz".to_string()), ..OwnFilter::default() }), 1);
    assert_eq!(count(OwnFilter { from: Some("2026.02".to_string()), ..OwnFilter::default() }), 1);
    assert_eq!(count(OwnFilter { words: "queen's gambit".to_string(), ..OwnFilter::default() }), 1);
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(count(OwnFilter { position: Some(after_e4.to_string()), ..OwnFilter::default() }), 1);
    assert!(library.list(&OwnFilter { position: Some("x".to_string()), ..OwnFilter::default() }).is_err());
    let text = library.export(&OwnFilter { white: Some(false), ..OwnFilter::default() }).unwrap();
    assert!(text.contains("(2. Nf3)") && !text.contains("good"), "{text}");
    library.delete(all.games[0].id).unwrap();
    assert_eq!(count(OwnFilter::default()), 1);
}

#[test]
fn reviews_wait_for_a_name_and_are_made_again_for_another() {
    let library = library("review");
    library.import(GAMES.as_bytes(), &Openings::embedded()).unwrap();
    assert!(library.waiting().unwrap().is_empty());
    library.set_names(&["Ann".to_string()]).unwrap();
    let waiting = library.waiting().unwrap();
    assert_eq!((waiting.len(), waiting[0].player_is_white), (2, false));
    library.save_review(waiting[0].id, &Reviewed { accuracy: Some(80.0), ..Reviewed::default() }).unwrap();
    assert_eq!(library.waiting().unwrap().len(), 1);
    assert_eq!(library.progress(&OwnFilter::default()).unwrap().points.len(), 1);
    library.set_names(&["bob".to_string()]).unwrap();
    assert_eq!(library.waiting().unwrap().len(), 2);
}

#[test]
fn what_is_no_game_is_refused() {
    assert!(library("bad").import(&b"hello"[..], &Openings::embedded()).is_err());
}

#[test]
fn files_answer_as_the_database_does_and_are_read_again() {
    let folder = std::env::temp_dir().join(format!("tabiya-both-libraries-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let database = Library::open(&folder).unwrap();
    let memory = MemoryFiles::new(|_, _| {});
    let files = FileLibrary::new(memory.folder("own"));
    let openings = Openings::embedded();
    for _ in 0..2 {
        let imported =
            [database.import(GAMES.as_bytes(), &openings), files.import(GAMES.as_bytes(), &openings)];
        assert_eq!(imported[0].as_ref().ok(), imported[1].as_ref().ok());
        assert!(imported[0].is_ok());
    }
    let names = ["ann".to_string(), "ANN".to_string(), " ".to_string()];
    database.set_names(&names).unwrap();
    files.set_names(&names).unwrap();
    let review = Reviewed { accuracy: Some(80.0), ..Reviewed::default() };
    let waiting = files.waiting().unwrap();
    assert_eq!((waiting.len(), waiting[0].player_is_white), (2, false));
    database.save_review(waiting[0].id, &review).unwrap();
    files.save_review(waiting[0].id, &review).unwrap();
    assert_eq!(files.waiting().unwrap().len(), 1);
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_string();
    let filters = [
        OwnFilter::default(),
        OwnFilter { white: Some(false), ..OwnFilter::default() },
        OwnFilter { half_points: Some(2), ..OwnFilter::default() },
        OwnFilter { position: Some(after_e4.clone()), ..OwnFilter::default() },
    ];
    let continuations = database.continuations(&after_e4).unwrap();
    assert_eq!((continuations.len(), files.continuations(&after_e4).unwrap()), (1, continuations));
    let again = FileLibrary::new(memory.folder("own"));
    for filter in &filters {
        let expected = (database.list(filter).unwrap(), database.export(filter).unwrap());
        assert!(expected.0.total > 0);
        for library in [&files, &again] {
            assert_eq!((library.list(filter).unwrap(), library.export(filter).unwrap()), expected);
            assert_eq!(library.progress(filter).unwrap(), database.progress(filter).unwrap());
        }
    }
    assert!(files.open_game(1, &openings).is_ok() && files.open_game(9, &openings).is_err());
    files.delete(1).unwrap();
    assert_eq!(files.list(&OwnFilter::default()).unwrap().total, 1);
    assert!(files.take(4) && !files.take(4));
    files.set_names(&["bob".to_string()]).unwrap();
    assert_eq!((files.waiting().unwrap().len(), files.names().unwrap().len()), (1, 1));
    let _ = std::fs::remove_dir_all(&folder);
}
