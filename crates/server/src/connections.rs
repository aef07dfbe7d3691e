//! Connections: how many there are from each address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::TcpStream;

use crate::config::Config;
use crate::guard::network;

/// What a client is told before its connection is closed. It is written without waiting: a client
/// that does not take it is told nothing.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    content-type: application/problem+json\r\n\
    content-length: 104\r\n\
    retry-after: 5\r\n\
    connection: close\r\n\r\n\
    {\"code\":\"busy\",\"status\":503,\
    \"detail\":\"there are too many connections from your address\",\"retry_after\":5}";

/// How many connections each address has. One that has none is not there.
type Counts = Mutex<BTreeMap<IpAddr, u32>>;

/// Counts the connections of each address.
#[derive(Debug)]
pub(crate) struct Connections {
    counts: Arc<Counts>,
    most: u32,
    proxies: Vec<IpAddr>,
}

/// A place for a connection, which is free again when this is dropped. A proxy needs none.
#[derive(Debug)]
pub(crate) struct ConnectionPlace(Option<(IpAddr, Arc<Counts>)>);

impl Connections {
    pub(crate) fn new(config: &Config) -> Self {
        let (most, proxies) = (config.limits.connections_per_address, config.proxies.clone());
        Self { counts: Arc::default(), most, proxies }
    }

    /// Gives a connection from an address a place, if there is one.
    pub(crate) fn admit(&self, peer: IpAddr) -> Option<ConnectionPlace> {
        let peer = peer.to_canonical();
        // Those who come through a proxy are told apart by their requests.
        if self.most == 0 || self.proxies.contains(&peer) {
            return Some(ConnectionPlace(None));
        }
        let address = network(peer);
        let mut counts = lock(&self.counts);
        let count = counts.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ConnectionPlace(Some((address, Arc::clone(&self.counts)))))
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let Some((address, counts)) = &self.0 else { return };
        let mut counts = lock(counts);
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

fn lock(counts: &Counts) -> MutexGuard<'_, BTreeMap<IpAddr, u32>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Refuses a connection: says so, as far as that takes no time, and closes it.
pub(crate) fn refuse(stream: &TcpStream) {
    metrics::counter!("croupier_connections_refused_total").increment(1);
    let _ = socket2::SockRef::from(stream).send(REFUSAL);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;

    #[test]
    fn places_are_counted_for_each_network_and_given_back() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let limits = Limits { connections_per_address: 2, ..Limits::default() };
        let proxies = vec![address("192.0.2.9")];
        let connections = Connections::new(&Config { proxies, limits, ..Config::default() });
        let first = connections.admit(address("2001:db8::1")).expect("a place");
        let second = connections.admit(address("2001:db8::2")).expect("a place");
        assert!(connections.admit(address("2001:db8::3")).is_none());
        let other = connections.admit(address("2001:db8:0:1::1")).expect("another network");
        let many: Vec<_> = (0..9).map(|_| connections.admit(address("192.0.2.9"))).collect();
        assert!(many.iter().all(Option::is_some), "a proxy has no limit");
        drop(first);
        let again = connections.admit(address("2001:db8::3"));
        assert!(again.is_some() && connections.admit(address("2001:db8::4")).is_none());
        drop((again, second, other, many));
        assert!(lock(&connections.counts).is_empty(), "nothing is left");
    }

    #[test]
    fn the_refusal_is_as_long_as_it_says() {
        let text = std::str::from_utf8(REFUSAL).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["code"], "busy");
    }
}
