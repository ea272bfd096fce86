//! `cargo xtask bench`: ours against other people's programs, as ratios in one run.

pub(crate) fn run(names: &[&str]) -> anyhow::Result<()> {
    anyhow::bail!("there is no bench `{}`", names.join(" "))
}
