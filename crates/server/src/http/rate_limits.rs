//! Rate limits per address and per player, and the number of event streams per address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Limits;
use crate::http::page;
use crate::http::problem::{Code, Problem};

/// The size of a burst of requests, in seconds of the average rate.
const BURST: u32 = 4;

/// The minimum rate of requests per second for files of the page from one address. A page needs
/// dozens of files at once, and they cost almost nothing. The page must load even where other
/// requests are limited more.
const MIN_FILE_RATE: u32 = 100;

/// The number of events per minute that are recorded because of one address: failed logins, and
/// requests that only an operator may send.
const INCIDENTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// The rate limiters, and the count of event streams.
#[derive(Debug)]
pub(crate) struct RateLimits {
    requests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    files: Option<DefaultKeyedRateLimiter<IpAddr>>,
    commands: Option<DefaultKeyedRateLimiter<String>>,
    guests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    incidents: DefaultKeyedRateLimiter<IpAddr>,
    streams: Arc<Mutex<BTreeMap<IpAddr, u32>>>,
    max_streams: u32,
}

/// A permit for an event stream, which is released when this is dropped.
#[derive(Debug)]
pub(crate) struct StreamPermit {
    address: IpAddr,
    streams: Arc<Mutex<BTreeMap<IpAddr, u32>>>,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                streams.remove(&self.address);
            }
        }
        metrics::gauge!("croupier_streams").decrement(1);
    }
}

impl RateLimits {
    pub(crate) fn new(limits: Limits) -> Self {
        let per_second = |rate: u32| {
            let burst = NonZeroU32::new(rate.saturating_mul(BURST))?;
            Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(burst))
        };
        let per_hour = NonZeroU32::new(limits.guests_per_hour).map(Quota::per_hour);
        Self {
            requests: per_second(limits.requests_per_second).map(RateLimiter::keyed),
            files: match limits.requests_per_second {
                0 => None,
                rate => per_second(rate.max(MIN_FILE_RATE)).map(RateLimiter::keyed),
            },
            commands: per_second(limits.commands_per_second).map(RateLimiter::keyed),
            guests: per_hour.map(RateLimiter::keyed),
            incidents: RateLimiter::keyed(Quota::per_minute(INCIDENTS_PER_MINUTE)),
            streams: Arc::default(),
            max_streams: limits.streams_per_address,
        }
    }

    /// Admits another request from an address, or refuses it.
    pub(super) fn admit(&self, address: IpAddr, path: &str) -> Result<(), Problem> {
        let is_file = path.starts_with(page::FILE_PREFIX);
        check(if is_file { &self.files } else { &self.requests }.as_ref(), &address)
    }

    /// Admits another command of a player, or refuses it.
    pub(crate) fn admit_command(&self, player: &str) -> Result<(), Problem> {
        check(self.commands.as_ref(), &player.to_owned())
    }

    /// Admits another guest from an address, or refuses it.
    pub(crate) fn admit_guest(&self, address: IpAddr) -> Result<(), Problem> {
        check(self.guests.as_ref(), &address)
    }

    /// Tells whether another event caused by an address should be recorded.
    pub(crate) fn should_record_incident(&self, address: IpAddr) -> bool {
        self.incidents.check_key(&address).is_ok()
    }

    /// Returns a permit for an event stream, if one is free.
    pub(crate) fn admit_stream(&self, address: IpAddr) -> Result<StreamPermit, Problem> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(address).or_default();
        if self.max_streams > 0 && *count >= self.max_streams {
            return Err(Problem::from(Code::TooManyStreams).retry_after(5));
        }
        *count += 1;
        metrics::gauge!("croupier_streams").increment(1);
        Ok(StreamPermit { address, streams: Arc::clone(&self.streams) })
    }

    /// Drops the counts of addresses and players without recent requests.
    pub(crate) fn clean_up(&self) {
        for limiter in [&self.requests, &self.files, &self.guests].into_iter().flatten() {
            limiter.retain_recent();
        }
        self.commands.iter().for_each(RateLimiter::retain_recent);
        self.incidents.retain_recent();
    }
}

fn check<K: Clone + Eq + std::hash::Hash>(
    limiter: Option<&DefaultKeyedRateLimiter<K>>,
    key: &K,
) -> Result<(), Problem> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.check_key(key).map_err(|until| {
        let wait = until.wait_time_from(DefaultClock::default().now());
        Problem::from(Code::TooManyRequests).retry_after(wait.as_secs() + 1)
    })
}
