//! A connection to the database that can go dead.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A proxy to a PostgreSQL server that forwards everything until it goes dead. Then nothing gets
/// through and neither end is notified, as when a network is down.
pub(crate) struct Line {
    /// The address of the database through this proxy.
    pub(crate) url: String,
    dead: Arc<AtomicBool>,
}

impl Line {
    /// Opens a proxy to a database, given by its address.
    pub(crate) fn to(url: &str) -> Self {
        let (before, after) = url.split_once("@127.0.0.1:").expect("an address of a cluster");
        let (port, database) = after.split_once('/').expect("a database");
        let end: SocketAddr = format!("127.0.0.1:{port}").parse().expect("an address");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let dead = Arc::new(AtomicBool::new(false));
        let url = format!("{before}@127.0.0.1:{port}/{database}");
        let line = Self { url, dead: Arc::clone(&dead) };
        // The thread ends with the test.
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(end) else { continue };
                for stream in [&near, &far] {
                    stream.set_nodelay(true).expect("a socket");
                }
                let (Ok(back), Ok(forth)) = (far.try_clone(), near.try_clone()) else { continue };
                let gate = Arc::clone(&dead);
                std::thread::spawn(move || carry(near, far, &gate));
                let gate = Arc::clone(&dead);
                std::thread::spawn(move || carry(back, forth, &gate));
            }
        });
        line
    }

    /// Makes the line go dead, or come back.
    pub(crate) fn set_dead(&self, dead: bool) {
        self.dead.store(dead, Ordering::Relaxed);
    }
}

/// Copies data from one end to the other, while the line is not dead.
fn carry(mut from: TcpStream, mut to: TcpStream, dead: &AtomicBool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        while dead.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    // Either may be closed already.
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}
