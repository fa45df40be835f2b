//! How values are read from JSON and written to it; the items themselves are in `reading` and
//! `writing`.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::items::{Detail, Phase, ShellStatus};
use super::media::Modality;

/// Why a value could not be read, and where: `content[0].image_url is to be a string` (ITEM-4).
#[derive(Debug)]
pub struct Unreadable {
    place: String,
    trouble: String,
}

impl Unreadable {
    pub fn new(trouble: impl Into<String>) -> Self {
        Self { place: String::new(), trouble: trouble.into() }
    }

    pub fn in_field(mut self, name: &str) -> Self {
        let rest = self.place;
        let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
        self.place = format!("{name}{dot}{rest}");
        self
    }

    pub fn unknown(name: &str) -> Self {
        Self::new(format!("is not to be {name:?}"))
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.place.is_empty() { "" } else { " " };
        write!(formatter, "{}{space}{}", self.place, self.trouble)
    }
}

pub trait FromJson: Sized {
    /// # Errors
    /// The value has not the shape SPEC asks for; nothing of it is kept.
    fn from_json(value: Value) -> Result<Self, Unreadable>;
}

pub trait ToJson {
    fn to_json(&self) -> Value;
}

/// The fields of an object that is being read. What nobody asks for is dropped (ITEM-1).
pub struct Fields(Map<String, Value>);

impl Fields {
    pub fn required<T: FromJson>(&mut self, name: &str) -> Result<T, Unreadable> {
        self.required_by(name, T::from_json)
    }

    pub fn required_by<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Value) -> Result<T, Unreadable>,
    ) -> Result<T, Unreadable> {
        let value = self.0.remove(name).ok_or_else(|| Unreadable::new("is missing"));
        value.and_then(read).map_err(|trouble| trouble.in_field(name))
    }

    /// Reads a field that may be absent; null is the same (ITEM-3).
    pub fn optional<T: FromJson>(&mut self, name: &str) -> Result<Option<T>, Unreadable> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => T::from_json(value).map(Some).map_err(|trouble| trouble.in_field(name)),
        }
    }
}

impl From<Map<String, Value>> for Fields {
    fn from(object: Map<String, Value>) -> Self {
        Self(object)
    }
}

impl FromJson for Fields {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        Map::from_json(value).map(Self)
    }
}

/// An object that is being written, field by field in SPEC's order.
#[derive(Default)]
pub struct Written(Map<String, Value>);

impl Written {
    pub fn of_type(name: &str) -> Self {
        Self::default().with("type", name)
    }

    pub fn with<T: ToJson + ?Sized>(mut self, name: &str, value: &T) -> Self {
        self.0.insert(name.to_owned(), value.to_json());
        self
    }

    /// Writes a field unless it is absent.
    pub fn with_present<T: ToJson>(self, name: &str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Writes a field, as null if it is absent (*n* in SPEC's table).
    pub fn with_nullable<T: ToJson>(self, name: &str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self.with(name, &Value::Null),
        }
    }

    pub fn done(self) -> Value {
        Value::Object(self.0)
    }
}

impl FromJson for Value {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        Ok(value)
    }
}

impl FromJson for String {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        match value {
            Value::String(text) => Ok(text),
            _ => Err(Unreadable::new("is to be a string")),
        }
    }
}

impl FromJson for bool {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        value.as_bool().ok_or_else(|| Unreadable::new("is to be true or false"))
    }
}

impl FromJson for u32 {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let number = value.as_u64().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| Unreadable::new("is to be a whole number from 0 to 4294967295"))
    }
}

impl FromJson for u64 {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        value.as_u64().ok_or_else(|| Unreadable::new("is to be a whole number"))
    }
}

impl FromJson for Number {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        match value {
            Value::Number(number) => Ok(number),
            _ => Err(Unreadable::new("is to be a number")),
        }
    }
}

impl FromJson for Map<String, Value> {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        match value {
            Value::Object(object) => Ok(object),
            _ => Err(Unreadable::new("is to be an object")),
        }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        read_each(value, T::from_json)
    }
}

/// Reads an array whose entries `read` can read.
///
/// # Errors
/// The value is no array, or an entry is unreadable.
pub fn read_each<T>(
    value: Value,
    read: impl Fn(Value) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    let Value::Array(values) = value else {
        return Err(Unreadable::new("is to be an array"));
    };
    let entries = values.into_iter().enumerate();
    entries
        .map(|(index, value)| read(value).map_err(|it| it.in_field(&format!("[{index}]"))))
        .collect()
}

/// Makes strings of an enumeration's values, and values of the strings; no other is read.
macro_rules! names {
    ($kind:ident: $($value:ident = $name:literal),+) => {
        impl FromJson for $kind {
            fn from_json(value: Value) -> Result<Self, Unreadable> {
                match String::from_json(value)?.as_str() {
                    $($name => Ok(Self::$value),)+
                    name => Err(Unreadable::unknown(name)),
                }
            }
        }

        impl ToJson for $kind {
            fn to_json(&self) -> Value {
                match self {
                    $(Self::$value => $name.into(),)+
                }
            }
        }
    };
}

names!(Phase: Commentary = "commentary", FinalAnswer = "final_answer");
names!(Detail: Auto = "auto", Low = "low", High = "high", Original = "original");
names!(Modality: Text = "text", Image = "image", Audio = "audio");
names!(ShellStatus: Completed = "completed", InProgress = "in_progress", Incomplete = "incomplete");

impl FromJson for Vec<(String, String)> {
    fn from_json(value: Value) -> Result<Self, Unreadable> {
        let read = |(key, value): (String, Value)| match String::from_json(value) {
            Ok(text) => Ok((key, text)),
            Err(trouble) => Err(trouble.in_field(&key)),
        };
        Map::from_json(value)?.into_iter().map(read).collect()
    }
}

impl ToJson for Value {
    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl ToJson for str {
    fn to_json(&self) -> Value {
        self.into()
    }
}

impl ToJson for String {
    fn to_json(&self) -> Value {
        self.as_str().into()
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Value {
        (*self).into()
    }
}

impl ToJson for u64 {
    fn to_json(&self) -> Value {
        (*self).into()
    }
}

impl ToJson for Number {
    fn to_json(&self) -> Value {
        Value::Number(self.clone())
    }
}

impl ToJson for Map<String, Value> {
    fn to_json(&self) -> Value {
        Value::Object(self.clone())
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Value {
        self.iter().map(ToJson::to_json).collect()
    }
}

impl ToJson for Vec<(String, String)> {
    fn to_json(&self) -> Value {
        self.iter().map(|(key, text)| (key.clone(), text.to_json())).collect()
    }
}
