//! Closed sets of words: enums whose values each have one strict name.

/// Makes an enum of which every value has a word that files and records use for it.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the word that files and records use.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Returns the value that a word stands for.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.id() == id)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl crate::words::Word for $name {
            const WORDS: &[Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.id()
            }
        }
    };
}

pub(crate) use words;

/// A value that has a word, for whoever reads it.
pub(crate) trait Word: Copy + 'static {
    const WORDS: &[Self];

    fn word(self) -> &'static str;
}
