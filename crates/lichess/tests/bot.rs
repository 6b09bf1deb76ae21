//! The bot against a double of the site over real sockets, and against its faults.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod double;

use chess::Color;
use double::{Answer, Double, Opponent, Setup, TOKEN};
use lichess::{Bot, Config, Handle, LogEvent, PlaySettings, Policy, RequestError, Site, TimeScale, Token};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A minute of waiting takes 1.2 seconds.
const SCALE: f64 = 0.02;

struct TestClock(Instant);

impl engine::Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

struct Running {
    handle: Handle,
    thread: JoinHandle<Result<(), RequestError>>,
    log: Arc<Mutex<Vec<LogEvent>>>,
}

fn config(double: &Double, policy: Policy) -> Config {
    Config {
        site: Site::on_this_machine(double.port),
        token: Token::parse(TOKEN).unwrap(),
        policy,
        play: PlaySettings {
            hash_megabytes: 1,
            overhead: Duration::from_millis(1),
            greeting: Some("Hello & good luck".into()),
            ..PlaySettings::default()
        },
        dry_run: false,
        scale: TimeScale::shortened(SCALE),
    }
}

fn run(config: Config) -> Running {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let sink = Arc::new(move |event: LogEvent| kept.lock().unwrap().push(event));
    let bot = Bot::connect(config, Arc::new(TestClock(Instant::now())), sink).unwrap();
    assert_eq!(bot.account().username, "TabiyaBot");
    let handle = bot.handle();
    Running { handle, thread: std::thread::spawn(move || bot.run()), log }
}

fn start(double: &Double) -> Running {
    run(config(double, Policy::default()))
}

impl Running {
    fn said(&self, part: &str) -> bool {
        self.log.lock().unwrap().iter().any(|event| event.to_string().contains(part))
    }

    /// Leaves at once; the whole log is searched for the token (rule 10).
    fn leave(self) -> Result<(), RequestError> {
        self.handle.stop();
        self.handle.stop();
        self.ended()
    }

    fn ended(self) -> Result<(), RequestError> {
        let end = self.thread.join().unwrap();
        for event in self.log.lock().unwrap().iter() {
            assert!(!format!("{event} {event:?}").contains("secretword"), "{event}");
        }
        assert!(!format!("{end:?}").contains("secretword"));
        end
    }
}

fn wait_for(what: &str, mut test: impl FnMut() -> bool) {
    let start = Instant::now();
    while !test() {
        assert!(start.elapsed() < Duration::from_secs(60), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// So many half-moves, or mate before: who moves at random may not last long.
fn has_come_to(double: &Double, id: &str, plies: usize) -> bool {
    double.moves(id).len() >= plies || double.status(id) == "mate"
}

fn black(moves: &'static str) -> Setup {
    Setup { bot: Color::Black, opponent: Opponent::Test, moves, ..Setup::default() }
}

fn white() -> Setup {
    Setup { opponent: Opponent::Test, ..Setup::default() }
}

#[test]
fn a_challenge_a_game_and_a_mate() {
    let double = Double::start();
    let bot = start(&double);
    double.challenge("game0001", &json!({}), Setup::default());
    wait_for("the end of the game", || !["", "started"].contains(&double.status("game0001").as_str()));
    assert_eq!(double.status("game0001"), "mate");
    wait_for("its log entry", || bot.said("TabiyaBot (2000) - Someone (1500) 1-0 (mate)"));
    assert_eq!(double.asked("accept").len(), 1);
    let greetings = double.asked("/chat");
    assert_eq!(greetings.len(), 1);
    assert_eq!(greetings[0].body, "room=player&text=Hello+%26+good+luck");
    // Rule 11.
    assert_eq!(double.most_at_one_time(), 1);
    assert_eq!(bot.leave(), Ok(()));
}

/// Rule 11: one request at a time, however many games are played.
#[test]
fn rule_11_one_request_at_a_time_in_four_games() {
    let double = Double::start();
    let bot = run(config(&double, Policy { games: 4, ..Policy::default() }));
    let games = ["game0001", "game0002", "game0003", "game0004"];
    for id in games {
        double.challenge(id, &json!({}), Setup::default());
    }
    wait_for("four games under way", || games.iter().all(|id| has_come_to(&double, id, 8)));
    assert_eq!(double.most_at_one_time(), 1);
    assert_eq!(bot.leave(), Ok(()));
}

/// Rule 11: after "too many requests", not one of any kind for a minute.
#[test]
fn rule_11_too_many_requests_means_a_minute_of_silence() {
    let double = Double::start();
    let bot = run(config(&double, Policy { games: 2, ..Policy::default() }));
    double.begin("game0001", Setup::default());
    double.begin("game0002", Setup::default());
    let both = |count| ["game0001", "game0002"].iter().all(|id| has_come_to(&double, id, count));
    wait_for("some moves", || both(4));
    double.fault("POST /api/bot/game/game0001/move", 1, Answer::Status(429, String::new()));
    wait_for("the site's word", || bot.said("too many requests"));
    let before = double.asked("").len();
    wait_for("the next request", || double.asked("").len() > before);
    let all = double.asked("");
    let silence = all[before].at - all[before - 1].at;
    let minute = Duration::from_secs(60).mul_f64(SCALE);
    assert!(silence >= minute, "{silence:?} of {minute:?}");
    let moves = double.moves("game0001").len();
    wait_for("both games going on", || both(moves + 4));
    assert_eq!(bot.leave(), Ok(()));
}

/// Rule 11: a stream that breaks is opened again, and less and less eagerly.
#[test]
fn rule_11_streams_come_back_with_growing_pauses() {
    let double = Double::start();
    let bot = start(&double);
    wait_for("the stream", || double.opened() == 1);
    double.fault("/api/stream/event", 5, Answer::Status(502, "<html>".into()));
    double.cut(None);
    wait_for("seven attempts", || double.asked("/api/stream/event").len() >= 7);
    let times: Vec<_> = double.asked("/api/stream/event").iter().map(|asked| asked.at).collect();
    let pauses: Vec<f64> =
        times[1..].windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64() / SCALE).collect();
    for (pause, least) in pauses.iter().zip([2.0, 4.0, 8.0, 16.0, 32.0]) {
        assert!(*pause >= least, "{pauses:?}");
    }
    // And it is as good as new.
    double.challenge("game0001", &json!({}), Setup::default());
    wait_for("a game", || double.moves("game0001").len() >= 4);
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_lost_game_stream_is_taken_up_where_it_was() {
    let double = Double::start();
    let bot = start(&double);
    double.begin("game0001", white());
    wait_for("the first move", || double.moves("game0001").len() == 1);
    double.cut(Some("game0001"));
    // Played while nobody listened.
    double.play("game0001", "g8f6");
    wait_for("the second move", || double.moves("game0001").len() == 3);
    assert!(double.asked("/api/bot/game/stream").len() >= 2);
    assert!(bot.said("game0001: lost"));
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_silent_stream_is_taken_for_dead() {
    let double = Double::start();
    let bot = start(&double);
    wait_for("the stream", || double.opened() == 1);
    double.fall_silent();
    wait_for("another", || double.asked("/api/stream/event").len() >= 2);
    assert!(bot.said("events: lost"));
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_move_that_does_not_get_through_is_sent_again() {
    for answer in [Answer::Status(503, String::new()), Answer::HangUp] {
        let double = Double::start();
        double.fault("/move/", 3, answer);
        let bot = start(&double);
        double.begin("game0001", white());
        wait_for("the move", || double.moves("game0001").len() == 1);
        let tries = double.asked("/move/");
        assert_eq!(tries.len(), 4);
        assert!(tries.iter().all(|asked| asked.path == tries[0].path));
        let last = (tries[3].at - tries[2].at).as_secs_f64() / SCALE;
        assert!(last >= 4.0, "{last}");
        assert_eq!(bot.leave(), Ok(()));
    }
}

#[test]
fn a_move_whose_answer_was_lost_is_not_played_twice() {
    let double = Double::start();
    double.lose_answer("/move/");
    let bot = start(&double);
    double.begin("game0001", white());
    wait_for("the move", || double.moves("game0001").len() == 1);
    double.play("game0001", "e7e6");
    wait_for("the next", || double.moves("game0001").len() == 3);
    assert_eq!(double.status("game0001"), "started");
    assert_eq!(bot.leave(), Ok(()));
}

/// What a malformed line said is lost: the site is asked for everything anew.
#[test]
fn a_malformed_line_leads_to_a_resync() {
    let double = Double::start();
    let bot = start(&double);
    wait_for("the stream", || double.opened() == 1);
    // The line that would have announced the game.
    double.begin_unannounced("game0001", white());
    double.inject(None, "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"game00");
    wait_for("the first move", || double.moves("game0001").len() == 1);
    // The line that would have carried the opponent's move.
    double.play_unannounced("game0001", "c7c5");
    double.inject(Some("game0001"), "{\"type\":\"gameState\",\"moves\":\"e2e4 c7");
    wait_for("the second move", || double.moves("game0001").len() == 3);
    assert!(bot.said("events: a malformed line") && bot.said("game0001: a malformed line"));
    assert_eq!(bot.leave(), Ok(()));
}

/// A line that the site repeats after every resync is ignored: asking for it again would never end.
#[test]
fn a_malformed_line_that_comes_again_is_ignored() {
    let double = Double::start();
    let bot = start(&double);
    wait_for("the stream", || double.opened() == 1);
    let lines =
        ["<html>", "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"../account\"}}", "\u{0}\u{7}", "<html>"];
    for (index, line) in lines.iter().enumerate() {
        double.inject(None, line);
        wait_for("a resync", || double.opened() as usize >= (index + 2).min(lines.len()));
    }
    wait_for("the last line", || bot.said("ignored, as before"));
    double.challenge("game0001", &json!({}), white());
    wait_for("the first move", || double.moves("game0001").len() == 1);
    for line in ["[1,2", "{\"type\":\"news\"}", &"x".repeat(3_000_000)] {
        double.inject(Some("game0001"), line);
    }
    double.play("game0001", "c7c5");
    wait_for("the second move", || double.moves("game0001").len() == 3);
    assert_eq!(double.opened(), 4);
    // No line leads to an address the bot did not choose.
    assert!(double.asked("").iter().all(|asked| !asked.path.contains("..")));
    assert_eq!(bot.leave(), Ok(()));
}

fn without_greeting(double: &Double) -> Config {
    let config = config(double, Policy::default());
    Config { play: PlaySettings { greeting: None, ..config.play }, ..config }
}

/// The place of the first request that contains a text, among all requests.
fn place(double: &Double, part: &str) -> Option<usize> {
    double.asked("").iter().position(|asked| format!("{} {}", asked.method, asked.path).contains(part))
}

#[test]
fn chat_is_answered_after_the_move() {
    let double = Double::start();
    let bot = run(without_greeting(&double));
    double.begin("game0001", black("e2e4 e7e5"));
    wait_for("the stream", || bot.said("game0001: a game against"));
    double.play("game0001", "g1f3");
    double.inject(
        Some("game0001"),
        r#"{"type":"chatLine","room":"player","username":"someone","text":"!name"}"#,
    );
    wait_for("the answer", || place(&double, "/chat").is_some());
    assert!(place(&double, "/move/") < place(&double, "/chat"));
    assert_eq!(bot.leave(), Ok(()));
}

/// An answer that is under way when a move is ready is cut off for it.
#[test]
fn a_slow_answer_does_not_hold_up_the_move() {
    let double = Double::start();
    let bot = run(without_greeting(&double));
    double.begin("game0001", black("e2e4 e7e5"));
    wait_for("the stream", || bot.said("game0001: a game against"));
    double.hold("/chat");
    double.inject(
        Some("game0001"),
        r#"{"type":"chatLine","room":"player","username":"someone","text":"!name"}"#,
    );
    wait_for("the answer", || place(&double, "/chat").is_some());
    double.play("game0001", "g1f3");
    wait_for("the move", || double.moves("game0001").len() == 4);
    // The move did not wait until the answer failed.
    assert!(!bot.said("game0001: chat"));
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_draw_is_agreed_to_with_the_move() {
    let double = Double::start();
    let bot = run(without_greeting(&double));
    let blocked = Setup {
        fen: Some("7k/8/8/4p3/4P3/8/8/K7 w - - 0 1"),
        ..black(
            "a1b1 h8g8 b1c1 g8f8 c1d1 f8e8 d1e1 e8d8 e1f1 d8c8 f1g1 c8b8 g1h1 b8a8 h1h2 a8a7 h2g2 a7b7 g2f2 b7c7 \
             f2e2 c7d7 e2d2 d7e7 d2c2 e7f7 c2b2 f7g7 b2a2 g7h7",
        )
    };
    double.begin("game0001", blocked);
    wait_for("the stream", || bot.said("game0001: a game against"));
    double.play_and_offer("game0001", "a2a3", "wdraw");
    wait_for("the end", || double.status("game0001") == "draw");
    assert!(double.asked("/draw/").is_empty());
    assert!(double.asked("/move/")[0].path.ends_with("?offeringDraw=true"));
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn games_that_start_by_themselves_are_bounded_too() {
    let double = Double::start();
    let bot = start(&double);
    double.begin("game0001", white());
    wait_for("the first game", || double.moves("game0001").len() == 1);
    double.begin("game0002", white());
    double.begin("game0003", white());
    wait_for("both others", || bot.said("game0002: waits") && bot.said("game0003: waits"));
    assert_eq!(double.asked("/game/stream/").len(), 1);
    double.end("game0001", "resign", Some("white"));
    wait_for("the second game", || double.moves("game0002").len() == 1);
    assert!(double.asked("/game/stream/game0003").is_empty());
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_list_of_moves_that_cannot_be_is_asked_for_again() {
    let double = Double::start();
    let bot = start(&double);
    double.begin("game0001", white());
    wait_for("the first move", || double.moves("game0001").len() == 1);
    double.inject(
        Some("game0001"),
        r#"{"type":"gameState","moves":"e2e5","wtime":1,"btime":1,"status":"started"}"#,
    );
    wait_for("the game sent anew", || double.asked("/api/bot/game/stream").len() >= 2);
    double.play("game0001", "c7c5");
    wait_for("the second move", || double.moves("game0001").len() == 3);
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn an_aborted_game_makes_room_for_the_next() {
    let double = Double::start();
    let bot = start(&double);
    double.challenge("game0001", &json!({}), white());
    wait_for("a game", || double.moves("game0001").len() == 1);
    double.challenge("game0002", &json!({}), white());
    double.challenge("game0003", &json!({}), white());
    double.challenge("game0004", &json!({}), white());
    wait_for("those who wait", || bot.said("game0004: Someone (1500) waits"));
    double.cancel("game0002");
    double.end("game0001", "aborted", None);
    wait_for("the one who stayed", || double.moves("game0003").len() == 1);
    assert!(bot.said("game0001: BOT TabiyaBot (2000) - Someone (1500) * (aborted)"));
    assert_eq!(double.status("game0002"), "", "it was cancelled");
    assert_eq!(double.status("game0004"), "", "one game at a time");
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_refused_move_is_thought_about_again_and_not_for_ever() {
    let double = Double::start();
    double.fault("/move/", 1, Answer::Status(400, r#"{"error":"Piece on e2 cannot"}"#.into()));
    let bot = start(&double);
    double.begin("game0001", white());
    wait_for("the move", || double.moves("game0001").len() == 1);
    assert_eq!(double.asked("/move/").len(), 2);
    assert!(bot.said("refused (Piece on e2 cannot (400))"));
    // A site that takes no move at all gets the point.
    double.fault("/move/", 1000, Answer::Status(400, "no json".into()));
    double.play("game0001", "e7e5");
    wait_for("resignation", || double.status("game0001") == "resign");
    assert_eq!(double.asked("/move/").len(), 2 + 3);
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn challenges_that_do_not_suit_are_declined_with_a_reason() {
    let double = Double::start();
    let policy = Policy { rated: false, bots: false, games: 1, queue: 0, ..Policy::default() };
    let bot = run(config(&double, policy));
    wait_for("the stream", || double.opened() == 1);
    let robot = json!({ "challenger": { "id": "robot", "name": "Robot", "title": "BOT" } });
    let own = json!({ "challenger": { "id": "TabiyaBot", "name": "TabiyaBot" } });
    let days =
        json!({ "speed": "correspondence", "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    double.challenge("own00000", &own, white());
    double.challenge("bot00000", &robot, white());
    double.challenge("rated000", &json!({ "rated": true }), white());
    double.challenge("variant0", &json!({ "variant": { "key": "atomic" } }), white());
    double.challenge("fast0000", &json!({ "speed": "ultraBullet" }), white());
    double.challenge("days0000", &days, white());
    double.challenge("good0000", &json!({}), white());
    double.challenge("second00", &json!({}), white());
    wait_for("all answers", || double.asked("/api/challenge/").len() == 7);
    let answers: Vec<(String, String)> = double
        .asked("/api/challenge/")
        .into_iter()
        .map(|asked| (asked.path.replace("/api/challenge/", ""), asked.body))
        .collect();
    let expected = [
        ("bot00000/decline", "reason=noBot"),
        ("rated000/decline", "reason=casual"),
        ("variant0/decline", "reason=variant"),
        ("fast0000/decline", "reason=tooFast"),
        ("days0000/decline", "reason=timeControl"),
        ("good0000/accept", ""),
        ("second00/decline", "reason=later"),
    ];
    assert_eq!(answers, expected.map(|(path, body)| (path.to_string(), body.to_string())));
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn a_dry_run_answers_nobody() {
    let double = Double::start();
    double.begin("running0", white());
    let bot = run(Config { dry_run: true, ..config(&double, Policy::default()) });
    double.challenge("good0000", &json!({}), white());
    double.challenge("variant0", &json!({ "variant": { "key": "atomic" } }), white());
    wait_for("both", || bot.said("would decline (variant)") && bot.said("would accept"));
    assert!(double.asked("POST").is_empty());
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn games_found_running_are_taken_up() {
    let double = Double::start();
    double.begin("game0001", black("e2e4 e7e5 g1f3"));
    double.begin("game0002", black("d2d4 d7d5"));
    let bot = run(config(&double, Policy { games: 2, ..Policy::default() }));
    wait_for("our move", || double.moves("game0001").len() == 4);
    double.play("game0002", "c2c4");
    wait_for("our move in the other", || double.moves("game0002").len() == 4);
    // No greeting in the middle of a game.
    assert!(double.asked("/chat").is_empty());
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn castling_in_chess960_is_king_takes_rook() {
    let double = Double::start();
    let bot = start(&double);
    // Castling is the only mate in one.
    let mate = Some("3k4/8/8/8/2R1R3/8/8/RK6 w A - 0 1");
    double.begin("game0001", Setup { fen: mate, variant: "chess960", ..white() });
    wait_for("mate", || double.status("game0001") == "mate");
    assert_eq!(double.asked("game0001/move/")[0].path, "/api/bot/game/game0001/move/b1a1");
    // And it is read so when the opponent does it.
    let other = Some("4k3/pppppppp/8/8/8/8/PPPPPPPP/5KR1 w G - 0 1");
    double.begin("game0003", Setup { bot: Color::Black, fen: other, variant: "chess960", ..white() });
    double.play("game0003", "f1g1");
    wait_for("the answer", || double.moves("game0003").len() == 2);
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn offers_moves_back_and_opponents_who_leave() {
    let double = Double::start();
    let bot = run(config(&double, Policy { games: 3, ..Policy::default() }));
    double.begin("game0001", white());
    wait_for("a move", || double.moves("game0001").len() == 1);
    double.offer("game0001", "bdraw");
    wait_for("an answer", || !double.asked("game0001/draw").is_empty());
    assert!(double.asked("game0001/draw")[0].path.ends_with("/draw/no"), "too early in the game");
    double.play("game0001", "e7e5");
    wait_for("a move", || double.moves("game0001").len() == 3);
    double.offer("game0001", "btakeback");
    wait_for("an answer", || !double.asked("takeback/yes").is_empty());
    double.take_back("game0001", 2);
    double.play("game0001", "c7c5");
    wait_for("a move after the move back", || double.moves("game0001").len() == 3);
    assert_eq!(double.moves("game0001")[1], "c7c5");
    // The same in a rated game is refused.
    double.begin("game0002", Setup { rated: true, ..white() });
    wait_for("a move", || double.moves("game0002").len() == 1);
    double.offer("game0002", "btakeback");
    wait_for("an answer", || !double.asked("game0002/takeback/no").is_empty());
    double.inject(Some("game0002"), r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":5}"#);
    wait_for("a claim", || double.status("game0002") == "timeout");
    // Bare kings and a pawn that cannot get on, the third time round: nobody is better off.
    let dead = Setup {
        bot: Color::Black,
        fen: Some("8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1"),
        moves: "e3d3 e6d6 d3e3 d6e6 e3d3 e6d6 d3e3 d6e6",
        ..white()
    };
    double.begin("game0003", dead);
    double.play("game0003", "e3d3");
    wait_for("a claim", || double.status("game0003") == "draw");
    assert!(double.asked("game0003/draw").is_empty(), "the move carries the claim");
    assert_eq!(bot.leave(), Ok(()));
}

#[test]
fn pressed_once_it_finishes_pressed_twice_it_leaves() {
    let double = Double::start();
    let bot = start(&double);
    double.challenge("game0001", &json!({}), white());
    wait_for("a game", || double.moves("game0001").len() == 1);
    bot.handle.stop();
    wait_for("the log entry", || bot.said("1 to finish"));
    double.challenge("game0002", &json!({}), white());
    wait_for("the answer", || !double.asked("game0002/decline").is_empty());
    double.play("game0001", "e7e5");
    wait_for("our answer", || double.moves("game0001").len() == 3);
    double.end("game0001", "resign", Some("white"));
    let start_of_end = Instant::now();
    assert_eq!(bot.ended(), Ok(()));
    assert!(start_of_end.elapsed() < Duration::from_secs(5));

    // In the middle of a game, of a minute's wait, with streams open.
    let bot = start(&double);
    double.begin("game0003", white());
    double.fault("/move/", 1000, Answer::Status(429, String::new()));
    wait_for("the site's word", || bot.said("too many requests"));
    let now = Instant::now();
    assert_eq!(bot.leave(), Ok(()));
    // A minute of waiting is 1.2 s here, and the fault would last for a thousand of them.
    assert!(now.elapsed() < Duration::from_secs(5), "{:?}", now.elapsed());
}

/// Rule 10: the site's refusal of a token does not show it.
#[test]
fn rule_10_a_token_the_site_does_not_know() {
    let double = Double::start();
    let wrong = Config {
        token: Token::parse("lip_anothersecretword").unwrap(),
        ..config(&double, Policy::default())
    };
    let sink = Arc::new(|event: LogEvent| panic!("{event}"));
    let error = Bot::connect(wrong, Arc::new(TestClock(Instant::now())), sink).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the site does not know this token");
    assert!(!format!("{error:?}").contains("secretword"));

    // Withdrawn while the bot runs: it ends and says why.
    let bot = start(&double);
    wait_for("the stream", || double.opened() == 1);
    double.fault("/api/stream/event", 1, Answer::Status(401, r#"{"error":"No such token"}"#.into()));
    double.cut(None);
    assert!(matches!(bot.ended(), Err(RequestError::Refused { status: 401, .. })));
}
