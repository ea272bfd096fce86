//! Exchanges with the Internet Archive's Wayback Machine, asked of us.
