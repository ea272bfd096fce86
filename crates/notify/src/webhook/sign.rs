//! The signature of a webhook, as Standard Webhooks has it: <https://www.standardwebhooks.com/>.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// What stands before a secret that is written in base64.
const BASE64_SECRET: &str = "whsec_";

/// The value of `webhook-signature`: `v1,` and the HMAC-SHA256 of `ID.SECONDS.BODY` in base64. A secret that begins with `whsec_` is
/// in base64 behind it; the bytes of any other are the key as they are.
#[must_use]
pub fn signature(secret: &str, id: &str, seconds: i64, body: &[u8]) -> String {
    let decoded = secret.strip_prefix(BASE64_SECRET).and_then(|text| BASE64.decode(text.as_bytes()).ok());
    let key = decoded.as_deref().unwrap_or(secret.as_bytes());
    // A key of any length is a key.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return String::new() };
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
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
