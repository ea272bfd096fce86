//! Changes that are made again after a conflict, a bounded number of times.

use std::time::Duration;

use crate::error::Error;

/// How often something is tried, and how long the pauses are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// Tries, the first included.
    pub most: u32,
    /// The pause after the first; each following one is twice as long.
    pub pause: Duration,
    /// No pause is longer.
    pub pause_max: Duration,
}

impl Default for Attempts {
    fn default() -> Attempts {
        Attempts { most: 8, pause: Duration::from_millis(10), pause_max: Duration::from_secs(1) }
    }
}

impl Attempts {
    fn pause_after(&self, attempt: u32) -> Duration {
        let factor = 2_u32.saturating_pow(attempt.saturating_sub(1));
        self.pause.saturating_mul(factor).min(self.pause_max)
    }
}

/// Makes a change, and makes it again from its beginning while it conflicts with others (SQLite: busy; PostgreSQL: serialization failure,
/// deadlock). `make` begins its transaction itself.
///
/// # Errors
/// The last error of `make`: another one than a conflict, or the conflict of the last attempt.
pub async fn retry<T>(
    attempts: Attempts,
    mut make: impl AsyncFnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut attempt = 1;
    loop {
        match make().await {
            Err(error) if error.is_conflict() && attempt < attempts.most => {
                tokio::time::sleep(attempts.pause_after(attempt)).await;
                attempt += 1;
            }
            made => return made,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let attempts =
            Attempts { most: 5, pause: Duration::from_millis(10), pause_max: Duration::from_millis(35) };
        let pauses: Vec<u128> = (1..=4).map(|attempt| attempts.pause_after(attempt).as_millis()).collect();
        assert_eq!(pauses, [10, 20, 35, 35]);
        assert_eq!(attempts.pause_after(u32::MAX), attempts.pause_max);
    }
}
