//! Documents: state that only a shell interprets, as rows of a store.

use std::collections::BTreeSet;
use std::future::Future;

use croupier_table::Time;

use crate::error::StoreError;
use crate::limits::{check_name, check_text, is_too_large, unusable};

/// The most bytes in a collection's name. An index has room for one next to two others.
const MOST_OF_COLLECTION: usize = 200;

/// A store of documents, which it does not interpret.
///
/// This is how a store keeps them. A shell uses a [`Collection`](crate::Collection), which knows
/// the type of their contents.
pub trait Documents: Send + Sync + 'static {
    /// Returns a document, expired or not.
    fn document(
        &self,
        collection: &str,
        key: &str,
    ) -> impl Future<Output = Result<Option<DocumentRow>, StoreError>> + Send;

    /// Returns the documents of a collection in the order of their keys, starting after this one.
    fn documents(
        &self,
        collection: &str,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<DocumentRow>, StoreError>> + Send;

    /// Returns an owner's documents of a collection in the order of their keys, starting after this
    /// one.
    fn documents_of(
        &self,
        collection: &str,
        owner: &str,
        after: &str,
        most: usize,
    ) -> impl Future<Output = Result<Vec<DocumentRow>, StoreError>> + Send;

    /// Writes a document, and returns its new revision.
    ///
    /// [`DocumentRow::revision`] says which one it replaces: 0, if there must be none yet.
    ///
    /// # Errors
    ///
    /// [`StoreError::Taken`], when there is one and should be none, and [`StoreError::Conflict`],
    /// when the one to replace has another revision or is gone.
    fn put(&self, document: DocumentRow) -> impl Future<Output = Result<u64, StoreError>> + Send {
        async move {
            let next = document.revision.saturating_add(1);
            self.put_all(vec![document]).await.map(|()| next)
        }
    }

    /// Writes documents, of any collections: all of them or none.
    ///
    /// # Errors
    ///
    /// As [`put`](Self::put), for the first that cannot be written; [`StoreError::Unusable`], when
    /// a document appears twice.
    fn put_all(
        &self,
        documents: Vec<DocumentRow>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Deletes a document, and returns whether there was one.
    fn delete(
        &self,
        collection: &str,
        key: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Deletes all of an owner's documents in a collection, and returns how many there were.
    fn delete_of(
        &self,
        collection: &str,
        owner: &str,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes at most this many expired documents, and returns how many. The longest expired go
    /// first.
    fn expire(
        &self,
        now: Time,
        most: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

/// A document as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow {
    /// The name of the collection it is in, with others of its kind.
    pub collection: String,
    /// A key that is unique in the collection.
    pub key: String,
    /// Its owner; empty, if it has none.
    pub owner: String,
    /// When it was written.
    pub at: Time,
    /// When it expires; it stays until [`Documents::expire`] runs.
    pub until: Option<Time>,
    /// Its contents.
    pub text: String,
    /// How often it has been written. A document to be written has the revision of the one that it
    /// replaces.
    pub revision: u64,
}

impl DocumentRow {
    /// Checks that this can be stored at all.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when a name is not valid, or no revision can come after its own.
    fn check(&self) -> Result<(), StoreError> {
        let Self { collection, key, owner, text, revision, .. } = self;
        check_name("a collection", collection)?;
        if collection.len() > MOST_OF_COLLECTION {
            return unusable(format!("a collection must have 1 to {MOST_OF_COLLECTION} bytes"));
        }
        check_name("a document's key", key)?;
        if !owner.is_empty() {
            check_name("a document's owner", owner)?;
        }
        check_text("a document", text)?;
        if is_too_large(revision.saturating_add(1)) {
            return unusable(format!(
                "document \"{key}\" in {collection} has a revision out of range"
            ));
        }
        Ok(())
    }

    /// Checks that these can be written together.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unusable`], when one of them cannot be stored, or appears twice.
    pub(crate) fn check_all(documents: &[Self]) -> Result<(), StoreError> {
        let mut places = BTreeSet::new();
        for document in documents {
            document.check()?;
            let Self { collection, key, .. } = document;
            if !places.insert((collection, key)) {
                return unusable(format!("document \"{key}\" in {collection} appears twice"));
            }
        }
        Ok(())
    }

    /// Checks that this may be written where a document of this revision is, or none.
    ///
    /// # Errors
    ///
    /// As [`Documents::put`].
    pub(crate) fn may_replace(&self, found: Option<u64>) -> Result<(), StoreError> {
        match (self.revision, found) {
            (0, None) => Ok(()),
            (0, Some(_)) => Err(StoreError::Taken),
            (expected, Some(found)) if expected == found => Ok(()),
            _ => Err(StoreError::Conflict),
        }
    }
}
