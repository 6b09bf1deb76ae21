use super::*;
use crate::messages::{AnalysisSettings, Event, Line, Slot, Status};
use crate::session::tests::{Channel, TestServer, mv, settings};
use std::rc::Rc;
use std::sync::mpsc::{Sender, TryRecvError};
use std::thread::JoinHandle;

thread_local! {
    static TURNS: RefCell<Option<Rc<Turns>>> = const { RefCell::new(None) };
    /// Commands that have not been heard, with what they want of a search that runs.
    static INBOX: RefCell<Option<Receiver<(Interruption, Command)>>> = const { RefCell::new(None) };
    static WAITING: RefCell<VecDeque<(Interruption, Command)>> = const { RefCell::new(VecDeque::new()) };
}

/// As the clock of a page without threads: the search reads it, and so the page is heard.
struct PageClock(Instant);

impl engine::Clock for PageClock {
    fn now(&self) -> Duration {
        if let Some(turns) = TURNS.with_borrow(Clone::clone) {
            turns.during_search();
            while let Some(Ok(sent)) = INBOX.with_borrow(|inbox| inbox.as_ref().map(Receiver::try_recv)) {
                WAITING.with_borrow_mut(|waiting| waiting.push_back(sent));
            }
            // Again and again, as the page's addresses stay away: the session may not have listened the first time.
            for wanted in WAITING.with_borrow(|waiting| waiting.iter().map(|sent| sent.0).collect::<Vec<_>>())
            {
                turns.interrupt(wanted);
            }
        }
        self.0.elapsed()
    }
}

/// A page whose worker has one thread.
struct Page {
    commands: Option<Sender<(Interruption, Command)>>,
    events: Receiver<Event>,
    worker: Option<JoinHandle<()>>,
}

fn work(shared: Arc<Shared>, events: Sender<Event>, inbox: Receiver<(Interruption, Command)>) {
    let turns = Rc::new(Turns::open(shared, Box::new(Channel(events))));
    TURNS.set(Some(Rc::clone(&turns)));
    INBOX.set(Some(inbox));
    loop {
        let inbox =
            || INBOX.with_borrow(|inbox| inbox.as_ref().map_or(Err(TryRecvError::Empty), Receiver::try_recv));
        let sent = WAITING.with_borrow_mut(VecDeque::pop_front).map_or_else(inbox, Ok);
        match sent {
            Ok((_, command)) => turns.take(SessionInput::Command(command)),
            Err(TryRecvError::Disconnected) => return,
            Err(TryRecvError::Empty) if turns.step() != NextStep::Now => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(TryRecvError::Empty) => {}
        }
    }
}

impl Page {
    fn open(server: &TestServer) -> Page {
        let (commands, inbox) = channel();
        let (sink, events) = channel();
        let shared = Arc::clone(&server.shared);
        let worker =
            std::thread::Builder::new().stack_size(64 << 20).spawn(move || work(shared, sink, inbox));
        Page { commands: Some(commands), events, worker: Some(worker.unwrap()) }
    }

    fn send(&self, wanted: Interruption, command: Command) {
        self.commands.as_ref().unwrap().send((wanted, command)).unwrap();
    }

    fn wait_for<T>(&self, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv_timeout(Duration::from_secs(120)).expect("an answer");
            if let Some(found) = wanted(&event) {
                return found;
            }
            assert!(!matches!(event, Event::Problem { .. }), "{event:?}");
        }
    }

    /// The number of positions when it is the player's turn.
    fn my_turn(&self) -> usize {
        self.wait_for(|event| match event {
            Event::Game { view } if view.status == Status::YourMove => Some(view.nodes.len()),
            _ => None,
        })
    }

    /// The depth of the next report of the analysis that runs, and its nodes.
    fn depth(&self, least: u32) -> (u32, f64) {
        self.wait_for(|event| match event {
            Event::Analysis { running: true, depth, nodes, lines, .. }
                if *depth >= least && !lines.is_empty() =>
            {
                Some((*depth, *nodes))
            }
            _ => None,
        })
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // An analysis without an end must be interrupted to notice that nobody is there.
        if let Some(commands) = self.commands.take() {
            let _ = commands.send((Interruption::Stop, Command::StopAnalysis { slot: Slot::First }));
        }
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

fn server() -> TestServer {
    TestServer::with_clock(Arc::new(PageClock(Instant::now())))
}

fn start() -> Line {
    Line::default()
}

fn analyse() -> Command {
    let settings =
        AnalysisSettings { engine: None, lines: 1, threads: 1, hash_megabytes: 4, options: Vec::new() };
    Command::Analyse { slot: Slot::First, line: start(), settings, threat: false }
}

#[test]
fn a_game_is_played_without_threads() {
    let server = server();
    let page = Page::open(&server);
    page.send(Interruption::Stop, Command::NewGame { settings: settings() });
    assert_eq!(page.my_turn(), 1);
    page.send(Interruption::Stop, mv("e4", 0));
    assert_eq!(page.my_turn(), 3);
    page.send(Interruption::Stop, Command::TakeBack);
    assert_eq!(page.my_turn(), 1);
}

#[test]
fn taking_back_ends_the_search_for_the_reply() {
    let server = server();
    let page = Page::open(&server);
    page.send(Interruption::Stop, Command::NewGame { settings: settings() });
    page.my_turn();
    page.send(Interruption::Stop, mv("e4", 0));
    page.wait_for(|event| matches!(event, Event::Game { view } if view.nodes.len() == 2).then_some(()));
    page.send(Interruption::Stop, Command::TakeBack);
    assert_eq!(page.my_turn(), 1, "the reply of the search that was ended is not played");
}

#[test]
fn an_analysis_is_shown_while_it_runs_and_goes_on_after_a_question() {
    let server = server();
    let page = Page::open(&server);
    page.send(Interruption::Stop, analyse());
    let (before, nodes) = page.depth(6);
    page.send(Interruption::Pause, Command::Describe { request: 7, line: start(), from: 0 });
    page.wait_for(|event| matches!(event, Event::Described { request: 7, .. }).then_some(()));
    let (depth, more) = page.depth(0);
    assert!(depth >= before && more >= nodes, "what was seen is not seen again");
    page.depth(before + 1);
    page.send(Interruption::Stop, Command::StopAnalysis { slot: Slot::First });
    page.wait_for(|event| matches!(event, Event::Analysis { running: false, .. }).then_some(()));
}

#[test]
fn two_analyses_take_turns() {
    let server = server();
    let page = Page::open(&server);
    for slot in [Slot::First, Slot::Second] {
        let Command::Analyse { line, settings, threat, .. } = analyse() else { return };
        page.send(Interruption::Pause, Command::Analyse { slot, line, settings, threat });
    }
    let mut depths = [0, 0];
    while depths.iter().any(|depth| *depth < 8) {
        let (slot, depth) = page.wait_for(|event| match event {
            Event::Analysis { slot, depth, running: true, .. } => Some((*slot, *depth)),
            _ => None,
        });
        assert!(depth >= depths[slot.index()]);
        depths[slot.index()] = depth;
    }
    page.send(Interruption::Pause, Command::StopAnalysis { slot: Slot::Second });
}

#[test]
fn a_review_is_done_position_by_position() {
    let server = server();
    let page = Page::open(&server);
    let line = Line { moves: vec!["e2e4".into(), "e7e5".into()], ..start() };
    page.send(Interruption::Stop, Command::Review { line, kilonodes: 1 });
    page.wait_for(|event| match event {
        Event::Reviewed { review } => {
            (review.moves.len() == 3 && review.white.accuracy.is_some()).then_some(())
        }
        _ => None,
    });
}

#[test]
fn a_game_of_leiserchess_is_played_and_analysed() {
    let server = server();
    let page = Page::open(&server);
    let new = Command::LaserNew { black: true, milliseconds: 20, fen: None, moves: Vec::new() };
    page.send(Interruption::Stop, new);
    page.wait_for(|event| matches!(event, Event::Laser { view } if view.plies.len() == 2).then_some(()));
    page.send(Interruption::Stop, Command::LaserAnalyse { on: true });
    for request in 0..3 {
        page.wait_for(|event| matches!(event, Event::LaserAnalysis { .. }).then_some(()));
        page.send(Interruption::Pause, Command::Describe { request, line: start(), from: 0 });
        page.wait_for(|event| matches!(event, Event::Described { .. }).then_some(()));
    }
    page.send(Interruption::Stop, Command::LaserAnalyse { on: false });
}
