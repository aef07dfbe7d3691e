//! Bytes that are read as a record, and played again if they are one.

use croupier_rules::{Catalog, Record};

/// Reads a record and replays it; what it is printed as must replay to the same.
pub fn records(data: &[u8]) {
    thread_local! {
        static CATALOG: Catalog = Catalog::shipped();
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    CATALOG.with(|catalog| {
        let Ok(record) = Record::read(text, catalog) else { return };
        let mut events = Vec::new();
        let Ok(result) = record.replay(&mut events) else { return };
        let nets = result.seats.iter().map(|seat| i128::from(seat.net.as_cents()));
        assert_eq!(nets.sum::<i128>() + i128::from(result.bank.net.as_cents()), 0, "{result:?}");

        let printed = record.with_result(&result);
        assert!(!printed.contains('\n'), "{printed:?} is more than a line");
        let again = Record::read(&printed, catalog).expect("what is printed can be read");
        let mut events_again = Vec::new();
        let result_again = again.replay(&mut events_again).expect("what is printed replays");
        assert_eq!(result_again, result);
        assert_eq!(events_again, events);
        assert_eq!(again.with_result(&result), printed, "it is printed as it was");
    });
}
