//! Limits on the number of connections from each address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::TcpStream;

use crate::config::Config;
use crate::http::client_address::network;

/// The response that a client gets before its connection is closed. It is sent without blocking: a
/// client that cannot take it at once gets none.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    content-type: application/problem+json\r\n\
    content-length: 104\r\n\
    retry-after: 5\r\n\
    connection: close\r\n\r\n\
    {\"code\":\"busy\",\"status\":503,\
    \"detail\":\"there are too many connections from your address\",\"retry_after\":5}";

/// The number of connections from each address. An address without connections has no entry.
type Counts = Mutex<BTreeMap<IpAddr, u32>>;

/// Counts the connections of each address.
#[derive(Debug)]
pub(crate) struct Connections {
    counts: Arc<Counts>,
    most: u32,
    proxies: Vec<IpAddr>,
}

/// A permit for a connection, which is released when this is dropped. A proxy needs none.
#[derive(Debug)]
pub(crate) struct ConnectionPermit(Option<(IpAddr, Arc<Counts>)>);

impl Connections {
    pub(crate) fn new(config: &Config) -> Self {
        let (most, proxies) = (config.limits.connections_per_address, config.proxies.clone());
        Self { counts: Arc::default(), most, proxies }
    }

    /// Returns a permit for a connection from an address, if one is free.
    pub(crate) fn admit(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let peer = peer.to_canonical();
        // Clients behind a proxy are limited by their requests instead.
        if self.most == 0 || self.proxies.contains(&peer) {
            return Some(ConnectionPermit(None));
        }
        let address = network(peer);
        let mut counts = lock(&self.counts);
        let count = counts.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(ConnectionPermit(Some((address, Arc::clone(&self.counts)))))
    }
}

impl Drop for ConnectionPermit {
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

/// Refuses a connection: sends the response if that does not block, and closes it.
pub(crate) fn refuse(stream: &TcpStream) {
    metrics::counter!("croupier_connections_refused_total").increment(1);
    let _ = socket2::SockRef::from(stream).send(REFUSAL);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;

    #[test]
    fn permits_are_counted_for_each_network_and_given_back() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let limits = Limits { connections_per_address: 2, ..Limits::default() };
        let proxies = vec![address("192.0.2.9")];
        let connections = Connections::new(&Config { proxies, limits, ..Config::default() });
        let first = connections.admit(address("2001:db8::1")).expect("a permit");
        let second = connections.admit(address("2001:db8::2")).expect("a permit");
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
    fn the_refusal_has_the_length_it_declares() {
        let text = std::str::from_utf8(REFUSAL).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["code"], "busy");
    }
}
