//! Bytes that are parsed as a record, and replayed if they are one.

use croupier_rules::{Catalog, Record};

/// Parses a record and replays it; its printed form must replay to the same result.
pub fn records(data: &[u8]) {
    thread_local! {
        static CATALOG: Catalog = Catalog::shipped();
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    CATALOG.with(|catalog| {
        let Ok(record) = Record::read(text, catalog) else { return };
        let Ok(replayed) = record.replay() else { return };
        let result = &replayed.result;
        let nets = result.seats.iter().map(|seat| i128::from(seat.net.as_cents()));
        assert_eq!(nets.sum::<i128>() + i128::from(result.bank.net.as_cents()), 0, "{result:?}");

        let printed = record.with_result(result);
        assert!(!printed.contains('\n'), "{printed:?} is more than a line");
        let again = Record::read(&printed, catalog).expect("a printed record can be read");
        assert_eq!(again.replay().expect("a printed record replays"), replayed);
        assert_eq!(again.with_result(result), printed, "it prints the same again");
    });
}
