//! The table of what can be said of keeping: how often replicas are looked through, and what is done about what is found.

use std::time::Duration;

use super::kind::{Number, Portion};
use super::table::table;
use super::words::Repairs;

const DAY: Duration = Duration::from_secs(24 * 3600);

table! {
    /// How files are looked after.
    VaultValues, VaultLayer;

    section "Audits and repair";
    /// While `varve up` runs, read files again and compare their checksums so often, those first that were not read for the longest
    /// time; `none` leaves that to `varve vault audit`
    audit_every: Option<Duration> = Some(DAY), file();
    /// Read about so much of each replica each time; `none` is all of it
    audit_bytes: Option<Portion> = Some(Portion(100 << 30)), file();
    /// Read at most so much in a second, so that others get at the disk, too
    audit_rate: Option<Portion> = None, file();
    /// Look so often whether every file is there, and whether there are some that nobody knows
    presence_every: Option<Duration> = Some(DAY), file();
    /// What is done about what an audit finds: `auto` repairs it if it is clear what is right, `ask` waits for `varve vault repair`
    repair: Repairs = Repairs::Auto, file();

    section "The catalogue";
    /// Copy the catalogue of files so often to the folder `backups`
    backup_every: Option<Duration> = Some(DAY), file();
    /// Keep so many of these copies
    backups: Number<1, 1000> = Number(7), file();

    section "Taking out";
    /// The SHA-256, in hex, of the password that `varve vault forget` and `correct` ask for: as `printf %s PASSWORD | sha256sum` says.
    /// Without it nothing can be taken out
    credential: Option<String> = None, file();
}
