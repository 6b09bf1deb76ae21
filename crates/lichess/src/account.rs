//! The account that the token belongs to.

use crate::client::{Client, RequestError};
use serde::Deserialize;

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Account {
    pub id: String,
    pub username: String,
    #[serde(default)]
    pub title: Option<String>,
}

impl Account {
    pub fn fetch(client: &Client) -> Result<Account, RequestError> {
        let text = client.get("/api/account")?;
        serde_json::from_str(&text)
            .map_err(|error| RequestError::Unavailable(format!("the account cannot be read: {error}")))
    }

    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }
}
