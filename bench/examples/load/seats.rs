//! A table with seven players, all played by this driver.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::http::Connection;

/// The number of steps in a round: seven wagers, the deal, seven decisions, and twice five.
const STEPS: usize = 25;

/// Seven players at a table.
pub(crate) struct Seats {
    connection: Connection,
    pub(crate) table: String,
    tokens: Vec<String>,
    number: usize,
    /// The number of commands sent.
    sent: u64,
    next: Step,
}

/// The results of playing for a while.
#[derive(Default)]
pub(crate) struct Played {
    /// How long each command took.
    pub(crate) latencies: Vec<Duration>,
    /// The number of finished rounds.
    pub(crate) rounds: usize,
}

/// The next step, and its seat.
#[derive(Clone, Copy)]
enum Step {
    Wager(usize),
    Deal,
    Decide { street: usize, seat: usize },
}

impl Seats {
    /// Opens a table and seats seven guests there.
    pub(crate) async fn take(mut connection: Connection, number: usize) -> Self {
        let mut tokens = Vec::new();
        for _ in 0..7 {
            let (status, body) =
                connection.post("/api/guests", "", "guest", "{\"bearer\":true}").await;
            assert_eq!(status, 201, "{body}");
            tokens.push(field(&body, "token"));
        }
        let opening = "{\"house\":\"uth-standard\",\"pace\":\"none\",\"public\":false}";
        let (status, body) =
            connection.post("/api/tables", &tokens[0], &format!("open-{number}"), opening).await;
        assert_eq!(status, 201, "{body}");
        let (table, invite) = (field(&body, "table"), field(&body, "invite"));
        let next = Step::Wager(0);
        let mut seats = Self { connection, table, tokens, number, sent: 0, next };
        for seat in 0..7 {
            let join = format!("{{\"command\":\"join\",\"seat\":{}}}", seat + 1);
            let (status, body) = seats.send(seat, &format!("?invite={invite}"), &join).await;
            assert_eq!(status, 200, "{body}");
        }
        // In a real card room, tables don't all deal at the same moment.
        for _ in 0..number % STEPS {
            seats.step().await;
        }
        seats
    }

    pub(crate) fn token(&self, seat: usize) -> &str {
        &self.tokens[seat]
    }

    /// Plays until a deadline, at a pace if there is one, and returns the results from a given
    /// moment on.
    pub(crate) async fn play(
        &mut self,
        begin: Instant,
        end: Instant,
        every: Option<Duration>,
        answered: &AtomicU64,
    ) -> Played {
        let mut played = Played::default();
        // Not all of them at the same moment.
        let spread = every.map(|every| every.mul_f64(f64::from(spread(self.number)) / 65_536.0));
        let mut due = Instant::now() + spread.unwrap_or_default();
        loop {
            let mut start = Instant::now();
            if let Some(every) = every {
                tokio::time::sleep_until(due.into()).await;
                // A command delayed by an earlier slow response has waited for the server, too.
                start = due;
                due += every;
            }
            if Instant::now() >= end {
                return played;
            }
            let over = self.step().await;
            answered.fetch_add(1, Ordering::Relaxed);
            let now = Instant::now();
            if (begin..=end).contains(&now) {
                played.latencies.push(now - start);
                played.rounds += usize::from(over);
            }
        }
    }

    /// Takes the next step, and tells whether that was the end of a round.
    async fn step(&mut self) -> bool {
        match self.next {
            Step::Wager(seat) => {
                self.wager(seat).await;
                self.next = if seat == 6 { Step::Deal } else { Step::Wager(seat + 1) };
            }
            Step::Deal => {
                let (status, body) = self.send(0, "", "{\"command\":\"deal\"}").await;
                assert_eq!(status, 200, "{body}");
                self.next = Step::Decide { street: 0, seat: 0 };
            }
            Step::Decide { street, seat } => return self.decide(street, seat).await,
        }
        false
    }

    /// Lets a seat decide: the first two bet at once, the others wait for the river, and one of
    /// them folds there.
    async fn decide(&mut self, street: usize, seat: usize) -> bool {
        let decision = match (street, seat) {
            (0, 0 | 1) => "bet 4",
            (2, 6) => "fold",
            (2, _) => "bet 1",
            _ => "check",
        };
        let body =
            format!("{{\"command\":\"decide\",\"seat\":{},\"decision\":\"{decision}\"}}", seat + 1);
        let (status, body) = self.send(seat, "", &body).await;
        if status == 409 && body.contains("insufficient-chips") {
            self.ask_for_chips(seat).await;
            return false;
        }
        assert_eq!(status, 200, "{body}");
        self.next = match (street, seat) {
            (2, 6) => Step::Wager(0),
            (street, 6) => Step::Decide { street: street + 1, seat: 2 },
            (street, seat) => Step::Decide { street, seat: seat + 1 },
        };
        matches!(self.next, Step::Wager(_))
    }

    /// Lets a seat wager.
    pub(crate) async fn wager(&mut self, seat: usize) {
        let wager = format!("{{\"command\":\"wager\",\"seat\":{},\"ante\":500}}", seat + 1);
        let (mut status, mut body) = self.send(seat, "", &wager).await;
        if status == 409 && body.contains("insufficient-chips") {
            self.ask_for_chips(seat).await;
            (status, body) = self.send(seat, "", &wager).await;
        }
        assert_eq!(status, 200, "{body}");
    }

    async fn ask_for_chips(&mut self, seat: usize) {
        let (status, body) =
            self.connection.post("/api/me/chips", &self.tokens[seat], "chips", "").await;
        assert_eq!(status, 200, "{body}");
    }

    async fn send(&mut self, seat: usize, query: &str, body: &str) -> (u16, String) {
        self.sent += 1;
        let key = format!("{}-{}", self.number, self.sent);
        let path = format!("/api/tables/{}/commands{query}", self.table);
        self.connection.post(&path, &self.tokens[seat], &key, body).await
    }
}

/// Returns the value of a field that is a text without quotes in it.
fn field(body: &str, name: &str) -> String {
    let start = body.find(&format!("\"{name}\":\"")).expect("the field") + name.len() + 4;
    let end = body[start..].find('"').expect("its end");
    body[start..start + end].to_owned()
}

/// Spreads numbers over 0 to 65,535.
fn spread(number: usize) -> u16 {
    u16::try_from(number.wrapping_mul(40_503) & 0xffff).expect("sixteen bits")
}
