//! Addresses, told so that nobody learns a secret from it.

use url::{Host, Url};

/// An address as `scheme://host/…`. What stands before the host may be a password, and what stands behind it is what keeps strangers from a webhook.
/// Of what is no address nothing is told: nobody knows what part of it is the secret.
#[must_use]
pub fn discreet(address: &str) -> String {
    let url = Url::parse(address).ok();
    let shown = url.as_ref().and_then(|url| {
        let host = url.host_str().filter(|host| !host.is_empty())?;
        Some(format!("{}://{host}/…", url.scheme()))
    });
    shown.unwrap_or_else(|| "…".to_owned())
}

/// Whether it is this machine.
pub(crate) fn is_near<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(name) => name.as_ref() == "localhost" || name.as_ref().ends_with(".localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_but_scheme_and_host() {
        for (address, shown) in [
            ("smtp://varve:hunter2@mail.example.org:587", "smtp://mail.example.org/…"),
            ("https://hooks.example.org/T0/hunter2?key=hunter2#hunter2", "https://hooks.example.org/…"),
            ("htps://hooks.example.org/hunter2", "htps://hooks.example.org/…"),
            ("hooks.example.org/hunter2", "…"),
            ("varve:hunter2@mail.example.org", "…"),
            ("smtp://varve:hunter2", "…"),
            ("", "…"),
        ] {
            assert_eq!(discreet(address), shown, "{address}");
        }
    }
}
