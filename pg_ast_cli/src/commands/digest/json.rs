//! Objects of JSON with a message: those of `jsonlog`, and those that log shippers put around lines.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::times::Time;
use super::words::Level;

/// The fields that are looked at; all others are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Object<'a> {
    #[serde(borrow)]
    message: Field<'a>,
    /// Docker's `json-file`.
    #[serde(borrow)]
    log: Field<'a>,
    /// Google's Cloud Logging.
    #[serde(borrow, rename = "textPayload")]
    text_payload: Field<'a>,
    #[serde(borrow, rename = "jsonPayload")]
    json_payload: Field<'a>,
    #[serde(borrow)]
    msg: Field<'a>,
    /// CloudNativePG has the message's fields in it.
    #[serde(borrow)]
    record: Field<'a>,
    /// Azure's diagnostic settings, and OpenTelemetry.
    #[serde(borrow)]
    properties: Field<'a>,
    #[serde(borrow)]
    body: Field<'a>,
    /// journald, and CloudWatch's Insights.
    #[serde(borrow, rename = "MESSAGE")]
    journal: Field<'a>,
    #[serde(borrow, rename = "@message")]
    insights: Field<'a>,
    /// Elasticsearch and Loki.
    #[serde(borrow, rename = "_source")]
    source: Field<'a>,
    #[serde(borrow)]
    line: Field<'a>,
    /// What `jsonlog` has in every message.
    #[serde(borrow)]
    error_severity: Field<'a>,
    #[serde(borrow)]
    session_id: Field<'a>,
    #[serde(borrow)]
    pid: Field<'a>,
    #[serde(borrow, rename = "_PID")]
    journal_pid: Field<'a>,
    #[serde(borrow)]
    process_id: Field<'a>,
    #[serde(borrow)]
    state_code: Field<'a>,
    #[serde(borrow)]
    sql_state_code: Field<'a>,
    #[serde(borrow)]
    detail: Field<'a>,
    #[serde(borrow)]
    statement: Field<'a>,
    #[serde(borrow)]
    query: Field<'a>,
    #[serde(borrow)]
    user: Field<'a>,
    #[serde(borrow)]
    user_name: Field<'a>,
    #[serde(borrow)]
    dbname: Field<'a>,
    #[serde(borrow)]
    database_name: Field<'a>,
    #[serde(borrow)]
    application_name: Field<'a>,
    /// Those of `jsonlog`, CloudNativePG, Docker, journald, Elasticsearch.
    #[serde(borrow)]
    timestamp: Field<'a>,
    #[serde(borrow)]
    log_time: Field<'a>,
    #[serde(borrow)]
    time: Field<'a>,
    #[serde(borrow)]
    ts: Field<'a>,
    #[serde(borrow, rename = "__REALTIME_TIMESTAMP")]
    journal_time: Field<'a>,
    #[serde(borrow, rename = "@timestamp")]
    search_time: Field<'a>,
}

/// A message, and what is known about it.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) text: &'a str,
    pub(super) session: Cow<'a, str>,
    pub(super) at: Option<Time>,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
    pub(super) application: &'a str,
    pub(super) detail: &'a str,
    pub(super) stmt: &'a str,
    pub(super) is_error: bool,
    /// True if it is the message itself, not a line of a log.
    pub(super) is_of_server: bool,
}

/// The value of a field.
#[derive(Debug, Default)]
enum Field<'a> {
    #[default]
    None,
    Text(Cow<'a, str>),
    Number(u64),
    Object(Box<Object<'a>>),
}

impl Object<'_> {
    pub(super) fn message(&self) -> Option<Found<'_>> {
        let inner = [
            &self.record,
            &self.json_payload,
            &self.properties,
            &self.source,
            &self.body,
            &self.message,
            &self.log,
        ];
        if let Some(found) = inner.iter().find_map(|field| match field {
            Field::Object(object) => object.message(),
            _ => None,
        }) {
            return Some(Found { at: found.at.or(self.at()), ..found });
        }
        let texts = [
            &self.message,
            &self.log,
            &self.text_payload,
            &self.msg,
            &self.body,
            &self.journal,
            &self.insights,
            &self.line,
        ];
        let text = texts.iter().find_map(|field| field.text())?;
        let sessions = [&self.session_id, &self.pid, &self.process_id, &self.journal_pid];
        let session = sessions.iter().find_map(|field| match field {
            Field::Text(text) => Some(Cow::Borrowed(&**text)),
            Field::Number(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        });
        let severity = self.error_severity.text();
        let code = first([&self.state_code, &self.sql_state_code]);
        Some(Found {
            text,
            session: session.unwrap_or_default(),
            at: self.at(),
            database: first([&self.dbname, &self.database_name]),
            user: first([&self.user, &self.user_name]),
            application: first([&self.application_name]),
            detail: first([&self.detail]),
            stmt: first([&self.statement, &self.query]),
            is_error: severity.is_some_and(|severity| is_error(severity, code)),
            is_of_server: severity.is_some(),
        })
    }

    fn at(&self) -> Option<Time> {
        let times = [
            &self.log_time,
            &self.timestamp,
            &self.time,
            &self.search_time,
            &self.ts,
            &self.journal_time,
        ];
        times.iter().find_map(|field| match field {
            Field::Text(text) => Time::find(text).or_else(|| Time::of_number(text)),
            Field::Number(number) => Time::of_number(&number.to_string()),
            _ => None,
        })
    }
}

fn first<'a, const COUNT: usize>(fields: [&'a Field<'_>; COUNT]) -> &'a str {
    fields.iter().find_map(|field| field.text()).unwrap_or_default()
}

/// Returns whether a severity is that of an error; in a language that is not known, by its SQLSTATE.
pub(super) fn is_error(severity: &str, code: &str) -> bool {
    match Level::of(severity) {
        Some(level) => level == Level::Error,
        None => code.len() == 5 && !["00", "01", "02"].iter().any(|class| code.starts_with(class)),
    }
}

impl Field<'_> {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Field<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldVisitor)
    }
}

struct FieldVisitor;

impl<'de> Visitor<'de> for FieldVisitor {
    type Value = Field<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Field::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Field::Number(number))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Field::None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Field::None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Field::None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Field::None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::None)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        Object::deserialize(MapAccessDeserializer::new(fields))
            .map(|object| Field::Object(Box::new(object)))
    }
}
