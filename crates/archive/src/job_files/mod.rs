//! Files and folders of jobs, for workers that handle whole files: `transfer` brings files in and out, `rebuild` makes indexes again.
//!
//! Captures come in through [`Intake`](crate::Intake) and out through [`Archive::get`](crate::Archive::get); nothing here is needed for that.

mod check;
mod facts;
mod list;

pub use check::{FAULTS_KEPT, FileCheck, REQUEST_OFFSET, check_file};
pub use facts::MetadataFacts;
pub use list::{JobFile, job_files};

pub use crate::collection_list::replace_list;
pub use crate::commit::{ListedFile, Published, publish_lines, remove_all, sort_file};
pub use crate::disk::OnDisk;
pub use crate::job::{CAPTURES_HEAD, JobFolder, make_folders, sync_folder};
pub use crate::original::time_of;
pub use crate::read::nature;
pub use crate::removal::{delete_lines, is_removal_name, removed_job};

pub(crate) use facts::published;
pub(crate) use list::is_indexed_job;
