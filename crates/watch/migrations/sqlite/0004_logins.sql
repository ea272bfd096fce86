-- No URL has a user name or password in it any more: `logins.rs` has moved them out.

PRAGMA user_version = 4;
