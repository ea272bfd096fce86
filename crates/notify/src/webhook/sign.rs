//! The signature of a webhook, as Standard Webhooks has it: <https://www.standardwebhooks.com/>.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::error::Error;

/// What stands before a secret that is written in base64.
const BASE64_SECRET: &str = "whsec_";

/// What events are signed with. A text that begins with `whsec_` is in base64 behind it; the bytes of any other are the key as they are.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl FromStr for Secret {
    type Err = Error;

    fn from_str(text: &str) -> Result<Secret, Error> {
        let Some(encoded) = text.strip_prefix(BASE64_SECRET) else {
            return Ok(Secret(text.as_bytes().to_vec()));
        };
        // Another key than the one that was meant would make signatures that nobody can check.
        let wrong = |why: &str| Error::Given { text: format!("{BASE64_SECRET}…"), why: why.to_owned() };
        let key = BASE64.decode(encoded.as_bytes()).map_err(|_| wrong("what follows is not base64"))?;
        if key.is_empty() { Err(wrong("nothing follows")) } else { Ok(Secret(key)) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// The value of `webhook-signature`: `v1,` and the HMAC-SHA256 of `ID.SECONDS.BODY` in base64.
#[must_use]
pub fn signature(secret: &Secret, id: &str, seconds: i64, body: &[u8]) -> String {
    // A key of any length is a key.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&secret.0) else { return String::new() };
    mac.update(format!("{id}.{seconds}.").as_bytes());
    mac.update(body);
    format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard: spec/standard-webhooks.md, "Signature scheme".
    #[test]
    fn the_standards_own_example_has_its_signature() {
        let body = br#"{"test": 2432232314}"#;
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let signed = signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_should_be_base64_and_is_not_is_refused_and_not_told() {
        for text in ["whsec_", "whsec_hunter2", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"] {
            let error = text.parse::<Secret>().unwrap_err();
            assert!(error.to_string().starts_with("`whsec_…` cannot be used"), "{error}");
        }
        assert_eq!("hunter2".parse::<Secret>().unwrap(), Secret(b"hunter2".to_vec()));
    }
}
