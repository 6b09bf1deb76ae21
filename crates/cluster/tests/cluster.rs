//! Clusters in one process: engines that lead and follow by channels, with messages that are late or lost and ranks that die.
#![allow(clippy::unwrap_used)] // a test that cannot go on should stop

use chess::Game;
use cluster::channels::{Channels, Faults, Killer, connect};
use cluster::{Job, Leader, follow};
use engine::{Clock, Engine, Report, Request};
use kernel::Limits;
use std::convert::Infallible;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn clock() -> Arc<dyn Clock> {
    Arc::new(RealClock(Instant::now()))
}

/// A leader's engine, and its followers on threads of their own.
struct TestCluster {
    engine: Option<Engine>,
    job: Job,
    followers: Vec<JoinHandle<Vec<String>>>,
    killer: Killer,
}

fn start(transport: Channels) -> Job {
    Job::start(move || Ok::<_, Infallible>(transport), clock()).unwrap()
}

fn engine() -> Engine {
    let mut engine = Engine::new(clock()).unwrap();
    engine.set_option("Hash", Some("1")).unwrap();
    engine
}

impl TestCluster {
    fn new(ranks: usize, faults: Faults) -> Self {
        let (transports, killer) = connect(ranks, faults);
        let mut jobs = transports.into_iter().map(start);
        let job = jobs.next().unwrap();
        let followers = jobs.map(|job| {
            std::thread::spawn(move || {
                let mut complaints = Vec::new();
                follow(engine(), &job.link, &job.orders, |text| complaints.push(text)).unwrap();
                complaints
            })
        });
        let followers = followers.collect();
        let mut engine = engine();
        engine.set_cluster(Arc::new(Leader::new(Arc::clone(&job.link)))).unwrap();
        Self { engine: Some(engine), job, followers, killer }
    }

    fn engine(&mut self) -> &mut Engine {
        self.engine.as_mut().unwrap()
    }

    fn go(&mut self, limits: Limits) -> Receiver<(Option<chess::Move>, u32)> {
        let (sender, answer) = channel();
        let deepest = Mutex::new(0);
        self.engine().go(
            Request::new(limits),
            Box::new(move |report| match report {
                Report::Information(information) => *deepest.lock().unwrap() = information.depth,
                Report::Best { best, .. } => sender.send((best, *deepest.lock().unwrap())).unwrap(),
                Report::Remark(_) => {}
            }),
        );
        answer
    }

    /// Ends the leader; what the followers complained of, those excepted that are dead and never end.
    fn end(mut self, alive: usize) -> Vec<String> {
        drop(self.engine.take());
        self.job.link.close();
        self.followers.into_iter().take(alive).flat_map(|follower| follower.join().unwrap()).collect()
    }
}

fn depth(depth: i32) -> Limits {
    Limits::depth(depth)
}

#[test]
fn a_cluster_plays_a_game_and_ends_together() {
    let mut cluster = TestCluster::new(3, Faults::default());
    let mut game = Game::default();
    cluster.engine().set_option("Parallel", Some("ybwc")).unwrap();
    for ply in 0..8 {
        cluster.engine().set_game(game.clone());
        let (best, deepest) = cluster.go(depth(7)).recv().unwrap();
        assert_eq!(deepest, 7, "ply {ply}");
        game.play(best.unwrap()).unwrap();
    }
    cluster.engine().new_game().unwrap();
    cluster.go(depth(4)).recv().unwrap();
    assert_eq!(cluster.end(2), Vec::<String>::new());
}

#[test]
fn what_only_the_leader_has_is_said_and_does_not_end_a_follower() {
    let mut cluster = TestCluster::new(2, Faults::default());
    let path = std::env::temp_dir().join(format!("tabiya-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    // The leader refuses it too, and then nobody else hears of it.
    assert!(cluster.engine().set_option("SyzygyPath", Some(path.to_str().unwrap())).is_err());
    cluster.go(depth(5)).recv().unwrap();
    std::fs::remove_dir(&path).unwrap();
    assert_eq!(cluster.end(1), Vec::<String>::new());
}

#[test]
fn late_and_lost_messages_cost_no_answer() {
    for seed in 0..3 {
        let mut cluster = TestCluster::new(3, Faults { most_late: 20, lost_permille: 200, seed });
        for _ in 0..6 {
            let (best, deepest) = cluster.go(depth(6)).recv().unwrap();
            assert!(best.is_some() && deepest == 6);
        }
        // A follower that missed the end is not waited for.
        cluster.end(0);
    }
}

#[test]
fn a_stop_is_obeyed_whatever_the_followers_do() {
    let mut cluster = TestCluster::new(3, Faults { most_late: 1000, ..Faults::default() });
    for _ in 0..5 {
        let answer = cluster.go(Limits { infinite: true, ..Limits::default() });
        cluster.engine().stop();
        assert!(answer.recv().unwrap().0.is_some());
    }
    cluster.end(0);
}

#[test]
fn a_game_goes_on_when_a_rank_dies() {
    let mut cluster = TestCluster::new(3, Faults::default());
    cluster.go(depth(6)).recv().unwrap();
    let answer = cluster.go(Limits { infinite: true, ..Limits::default() });
    cluster.killer.kill(2);
    cluster.engine().stop();
    assert!(answer.recv().unwrap().0.is_some());
    for _ in 0..4 {
        let (best, deepest) = cluster.go(depth(7)).recv().unwrap();
        assert!(best.is_some() && deepest == 7);
    }
    assert_eq!(cluster.end(1), Vec::<String>::new());
}

#[test]
fn bench_on_a_cluster_is_the_serial_one() {
    let alone = engine().bench(4).unwrap();
    let mut cluster = TestCluster::new(2, Faults::default());
    cluster.go(depth(6)).recv().unwrap();
    let (sender, answer) = channel();
    cluster.engine().start_bench(4, move |report| sender.send(report.unwrap().unwrap()).unwrap());
    assert_eq!(answer.recv().unwrap().nodes, alone.nodes);
    cluster.end(1);
}
