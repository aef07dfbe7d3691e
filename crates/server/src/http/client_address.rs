//! The address that a request comes from, as limits count it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};

use crate::config::Config;

/// The address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);

/// Returns the address that a request comes from: the address of the connection, or the one that a
/// trusted proxy reports.
pub(super) fn client_address(config: &Config, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let mut address = peer.map_or(Ipv6Addr::UNSPECIFIED.into(), |peer| peer.0.ip().to_canonical());
    let forwarded = request.headers().get_all("x-forwarded-for");
    let hops: Vec<&str> = forwarded
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    // Each proxy appends the address of its peer, and only trusted proxies count.
    for hop in hops.iter().rev() {
        if !config.proxies.contains(&address) {
            break;
        }
        let Ok(before) = hop.trim().parse::<IpAddr>() else { break };
        address = before.to_canonical();
    }
    network(address)
}

/// Returns the address that limits count by: an IPv6 customer has a whole network of addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::network;

    #[test]
    fn an_ipv6_customer_counts_once() {
        let of = |text: &str| network(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
