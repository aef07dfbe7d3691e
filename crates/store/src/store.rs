//! A whole store: all that it keeps, and the promises it makes about it.

use crate::accounts::Accounts;
use crate::documents::Documents;
use crate::journals::Journals;
use crate::people::People;
use crate::rounds::Rounds;
use crate::status::Status;

/// Storage for journals, money, players and documents.
///
/// Anything that has all of the parts is a store. Code that needs some of them asks only for those.
///
/// Every change is one transaction: all of it or none. Once a change has succeeded, neither a crash
/// of the process nor of the machine undoes it.
///
/// Three promises hold whatever happens concurrently:
///
/// - a journal grows only at its end, and by one writer at a time: a writer that expected another
///   end gets [`StoreError::Conflict`](crate::StoreError::Conflict), reads on, and decides again;
/// - no account that must not owe is ever below zero, not even between two transfers of a change,
///   and no transfer is made twice;
/// - a command that is repeated with the same key gets the same answer as before, and does nothing.
///
/// Names and keys have the same limits in every store. A command's sender and key have 1 to 200
/// characters and no control characters; a collection has 1 to 200 bytes, every other name or key 1
/// to 1000, and no text contains a NUL character. Writes that break these limits are refused as
/// [`StoreError::Unusable`](crate::StoreError::Unusable); reads find nothing under such a name.
pub trait Store: Journals + Accounts + Rounds + People + Documents + Status {}

impl<S: Journals + Accounts + Rounds + People + Documents + Status> Store for S {}
