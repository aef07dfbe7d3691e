//! Collections of documents, each with one type of contents.

use std::marker::PhantomData;

use croupier_table::Time;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::documents::{DocumentRow, Documents};
use crate::error::StoreError;

/// A collection of documents: its name, and the type of their contents.
///
/// The contents are JSON of any serde type, or plain [`Text`].
///
/// ```
/// use croupier_store::{Collection, Document, Memory, Text};
/// use croupier_table::Time;
///
/// const SCORES: Collection<Vec<u32>> = Collection::new("scores");
/// const NAMES: Collection<Text> = Collection::new("names");
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let (store, now) = (Memory::default(), Time::from_millis(1_700_000_000_000));
/// SCORES.put(&store, Document::json("ann", now, &vec![7, 9])).await?;
/// let scores = SCORES.get(&store, "ann").await?.expect("just written");
/// assert_eq!(scores.contents()?, [7, 9]);
///
/// NAMES.put(&store, Document::plain("1", now, "Ann").owned_by("ann")).await?;
/// let names = NAMES.documents_of(&store, "ann", "", 10).await?;
/// assert_eq!(names[0].text(), "Ann");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collection<T> {
    name: &'static str,
    contents: PhantomData<fn() -> T>,
}

/// The contents of documents that are plain text, not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {}

/// A document of a [`Collection`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<T> {
    /// A key that is unique in the collection.
    pub key: String,
    /// Its owner; empty, if it has none.
    pub owner: String,
    /// When it was written.
    pub at: Time,
    /// When it expires; it stays until [`Documents::expire`] runs.
    pub until: Option<Time>,
    /// How often it has been written. A document to be written has the revision of the one that it
    /// replaces: 0, if there must be none yet.
    pub revision: u64,
    text: String,
    contents: PhantomData<fn() -> T>,
}

impl<T> Clone for Collection<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Collection<T> {}

impl<T> Collection<T> {
    /// Names a collection.
    pub const fn new(name: &'static str) -> Self {
        Self { name, contents: PhantomData }
    }

    /// Returns its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a document, expired or not.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn get(
        &self,
        store: &impl Documents,
        key: &str,
    ) -> Result<Option<Document<T>>, StoreError> {
        Ok(store.document(self.name, key).await?.map(Document::from_row))
    }

    /// Returns documents in the order of their keys, starting after this one.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn documents(
        &self,
        store: &impl Documents,
        after: &str,
        most: usize,
    ) -> Result<Vec<Document<T>>, StoreError> {
        let rows = store.documents(self.name, after, most).await?;
        Ok(rows.into_iter().map(Document::from_row).collect())
    }

    /// Returns an owner's documents in the order of their keys, starting after this one.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn documents_of(
        &self,
        store: &impl Documents,
        owner: &str,
        after: &str,
        most: usize,
    ) -> Result<Vec<Document<T>>, StoreError> {
        let rows = store.documents_of(self.name, owner, after, most).await?;
        Ok(rows.into_iter().map(Document::from_row).collect())
    }

    /// Writes a document, and returns its new revision.
    ///
    /// # Errors
    ///
    /// As [`Documents::put`].
    pub async fn put(
        &self,
        store: &impl Documents,
        document: Document<T>,
    ) -> Result<u64, StoreError> {
        store.put(self.row(document)).await
    }

    /// Returns a document as a store keeps it, to be written together with those of other
    /// collections: see [`Documents::put_all`].
    pub fn row(&self, document: Document<T>) -> DocumentRow {
        let Document { key, owner, at, until, revision, text, .. } = document;
        let collection = self.name.to_owned();
        DocumentRow { collection, key, owner, at, until, text, revision }
    }

    /// Deletes a document, and returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn delete(&self, store: &impl Documents, key: &str) -> Result<bool, StoreError> {
        store.delete(self.name, key).await
    }

    /// Deletes all of an owner's documents, and returns how many there were.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn delete_of(&self, store: &impl Documents, owner: &str) -> Result<u64, StoreError> {
        store.delete_of(self.name, owner).await
    }
}

impl<T> Document<T> {
    const fn new(key: String, at: Time, text: String) -> Self {
        let owner = String::new();
        Self { key, owner, at, until: None, revision: 0, text, contents: PhantomData }
    }

    fn from_row(row: DocumentRow) -> Self {
        let DocumentRow { key, owner, at, until, text, revision, .. } = row;
        Self { key, owner, at, until, revision, text, contents: PhantomData }
    }

    /// Returns it with an owner.
    #[must_use]
    pub fn owned_by(self, owner: impl Into<String>) -> Self {
        Self { owner: owner.into(), ..self }
    }

    /// Returns it with a time at which it expires.
    #[must_use]
    pub fn expiring(self, until: Time) -> Self {
        Self { until: Some(until), ..self }
    }

    /// Returns it as a replacement of the document with this revision: 0, if there must be none
    /// yet.
    #[must_use]
    pub fn replacing(self, revision: u64) -> Self {
        Self { revision, ..self }
    }
}

impl<T: Serialize + DeserializeOwned> Document<T> {
    /// Makes a document from its contents.
    ///
    /// # Panics
    ///
    /// If the contents cannot be written as JSON, such as a map whose keys are not texts.
    pub fn json(key: impl Into<String>, at: Time, contents: &T) -> Self {
        let text = serde_json::to_string(contents).expect("the contents are plain data");
        Self::new(key.into(), at, text)
    }

    /// Reads the contents.
    ///
    /// # Errors
    ///
    /// When the stored text is something else.
    pub fn contents(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.text)
    }
}

impl Document<Text> {
    /// Makes a document from its text.
    pub fn plain(key: impl Into<String>, at: Time, text: impl Into<String>) -> Self {
        Self::new(key.into(), at, text.into())
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns it with another text.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}
