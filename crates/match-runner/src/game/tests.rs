use super::*;
use crate::adjudicate::ResignRule;
use crate::player::SearchResult;
use protocol::client::info::ReportedScore;
use stats::score::Outcome;

/// Plays a list of answers.
struct Scripted {
    name: &'static str,
    answers: Vec<Answer>,
    next: usize,
}

#[derive(Clone)]
enum Answer {
    Play(&'static str),
    PlayWith(&'static str, i32, u64),
    Fail(Fault),
    Resign,
}

impl Scripted {
    fn new(name: &'static str, answers: &[Answer]) -> Self {
        Self { name, answers: answers.to_vec(), next: 0 }
    }

    fn moves(name: &'static str, moves: &[&'static str]) -> Self {
        Self::new(name, &moves.iter().map(|text| Answer::Play(text)).collect::<Vec<_>>())
    }
}

impl Player for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn identity(&self) -> &'static str {
        ""
    }

    fn new_game(&mut self, _chess960: bool) -> Result<(), Fault> {
        Ok(())
    }

    fn search(&mut self, _turn: &Turn<'_>) -> Result<SearchResult, Fault> {
        let answer = self.answers.get(self.next).cloned();
        self.next += 1;
        let mut result = SearchResult {
            decision: Decision::Resign,
            info: SearchInfo::default(),
            used: Duration::from_millis(1),
            iterations: Vec::new(),
            expects: None,
            offers_draw: false,
            ply_statistics: None,
            progress: None,
        };
        match answer {
            Some(Answer::Play(text)) => result.decision = Decision::Move(text.to_owned()),
            Some(Answer::PlayWith(text, score, used)) => {
                result.decision = Decision::Move(text.to_owned());
                result.info.score = Some(ReportedScore::Centipawns(score));
                result.used = Duration::from_millis(used);
            }
            Some(Answer::Fail(fault)) => return Err(fault),
            Some(Answer::Resign) => {}
            None => return Err(Fault::Interrupted),
        }
        Ok(result)
    }

    fn ponder(&mut self, _turn: &Turn<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn game_over(&mut self, _result: &str) -> Result<(), Fault> {
        Ok(())
    }
}

fn run(white: &mut Scripted, black: &mut Scripted, rules: AdjudicationRules) -> Result<GameRecord, Aborted> {
    let conditions = Conditions {
        adjudication: rules,
        tables: None,
        chess960: false,
        patience: Duration::from_secs(1),
        forgive_stolen: false,
    };
    let limits = Limits { clock: Some("1".parse().unwrap()), ..Limits::default() };
    let opening = Opening { game: Game::default(), name: None };
    play(white, black, &opening, [limits; 2], &conditions)
}

#[test]
fn fools_mate_is_a_win_for_black() {
    let mut white = Scripted::moves("w", &["f2f3", "g2g4"]);
    let mut black = Scripted::moves("b", &["e7e5", "d8h4"]);
    let record = run(&mut white, &mut black, AdjudicationRules::default()).unwrap();
    assert_eq!((record.result, record.termination), (GameResult::BlackWins, Termination::Checkmate));
    assert_eq!(record.moves.len(), 4);
    assert_eq!(record.result.for_side(Color::Black), Outcome::Win);
    assert_eq!(record.broken, None);
}

#[test]
fn repetition_is_found_by_the_referee() {
    let mut white = Scripted::moves("w", &["g1f3", "f3g1", "g1f3", "f3g1"]);
    let mut black = Scripted::moves("b", &["g8f6", "f6g8", "g8f6", "f6g8"]);
    let record = run(&mut white, &mut black, AdjudicationRules::default()).unwrap();
    assert_eq!((record.result, record.termination), (GameResult::Draw, Termination::Repetition));
}

#[test]
fn an_illegal_move_loses_and_is_named_with_its_position() {
    for text in ["e2e5", "e7e5", "(none)", "0000", "hello"] {
        let mut white = Scripted::new("w", &[Answer::Play(text)]);
        let record = run(&mut white, &mut Scripted::moves("b", &[]), AdjudicationRules::default()).unwrap();
        assert_eq!(
            (record.result, record.termination),
            (GameResult::BlackWins, Termination::IllegalMove),
            "{text}"
        );
        assert!(record.detail.contains(text) && record.detail.contains("rnbqkbnr"), "{}", record.detail);
        assert!(record.termination.is_fault());
    }
}

#[test]
fn overstepping_the_clock_loses_even_with_a_good_move() {
    let mut white = Scripted::new("w", &[Answer::PlayWith("e2e4", 0, 400), Answer::PlayWith("d2d4", 0, 601)]);
    let mut black = Scripted::moves("b", &["e7e5"]);
    let record = run(&mut white, &mut black, AdjudicationRules::default()).unwrap();
    assert_eq!((record.result, record.termination), (GameResult::BlackWins, Termination::TimeForfeit));
    assert!(record.detail.contains("by 1 ms"), "{}", record.detail);
    assert_eq!(record.moves.len(), 2, "the late move is not played");
}

#[test]
fn a_lost_clock_says_how_long_the_machine_was_away() {
    let milliseconds = Duration::from_millis;
    assert_eq!(
        overstepped("b", milliseconds(204), Duration::ZERO, Duration::ZERO),
        "b overstepped its time by 204 ms"
    );
    assert_eq!(
        overstepped("b", milliseconds(204), milliseconds(230), Duration::ZERO),
        "b overstepped its time by 204 ms; the machine was taken away for 230 ms meanwhile"
    );
    assert_eq!(
        overstepped("b", milliseconds(204), Duration::ZERO, milliseconds(210)),
        "b overstepped its time by 204 ms; a thread of it waited 210 ms for a core"
    );
}

#[test]
fn faults_lose_the_game_and_ask_for_a_restart() {
    let cases = [
        (Fault::Disconnected { detail: "signal 11".to_owned() }, Termination::Disconnect),
        (Fault::Stalled { after: Duration::from_secs(9) }, Termination::Stall),
        (Fault::Garbage { found: "eh".to_owned() }, Termination::Garbage),
    ];
    for (fault, termination) in cases {
        let mut black = Scripted::new("b", &[Answer::Fail(fault)]);
        let record =
            run(&mut Scripted::moves("w", &["e2e4"]), &mut black, AdjudicationRules::default()).unwrap();
        assert_eq!((record.result, record.termination), (GameResult::WhiteWins, termination));
        assert_eq!(record.broken, Some(Color::Black));
    }
}

#[test]
fn an_interrupted_game_leaves_no_record() {
    let result =
        run(&mut Scripted::moves("w", &[]), &mut Scripted::moves("b", &[]), AdjudicationRules::default());
    assert_eq!(result.unwrap_err(), Aborted::Interrupted);
}

#[test]
fn resigning_by_word_and_by_score() {
    let record = run(
        &mut Scripted::new("w", &[Answer::Resign]),
        &mut Scripted::moves("b", &[]),
        AdjudicationRules::default(),
    );
    assert_eq!(record.unwrap().termination, Termination::Resignation);
    let rules = AdjudicationRules {
        resign: Some(ResignRule { moves: 2, score: 500, both: false }),
        ..AdjudicationRules::default()
    };
    let mut white =
        Scripted::new("w", &[Answer::PlayWith("e2e4", -600, 1), Answer::PlayWith("d2d4", -600, 1)]);
    let record = run(&mut white, &mut Scripted::moves("b", &["e7e5"]), rules).unwrap();
    assert_eq!((record.result, record.termination), (GameResult::BlackWins, Termination::AdjudicatedWin));
}

#[test]
fn every_ending_is_read_back_from_its_word() {
    for termination in Termination::ALL {
        assert_eq!(Termination::parse(termination.as_str()), Some(termination));
    }
    for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw] {
        assert_eq!(GameResult::parse(result.as_str()), Some(result));
    }
}
