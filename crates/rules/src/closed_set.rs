//! Closed sets of ids: enums where each value has exactly one id.

/// Defines an enum where every value has an id, which files and records use for it.
macro_rules! closed_set {
    (
        $(#[$attribute:meta])*
        $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $id:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub enum $name {
            $(
                $(#[$variant_attribute])*
                #[cfg_attr(feature = "schema", schema(rename = $id))]
                $variant,
            )+
        }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the id that files and records use.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }

            /// Returns the value with an id.
            pub fn from_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.id() == id)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl crate::closed_set::ClosedSet for $name {
            const VALUES: &[Self] = Self::ALL;

            fn id(self) -> &'static str {
                self.id()
            }
        }
    };
}

pub(crate) use closed_set;

/// A value of a closed set, used to read it from a definition.
pub(crate) trait ClosedSet: Copy + 'static {
    const VALUES: &[Self];

    fn id(self) -> &'static str;
}
