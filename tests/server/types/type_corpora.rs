//! The scripts whose statements are compared: the regression SQL, our own, or a folder of projects.

use std::path::{Path, PathBuf};

use super::names::name_scopes::regression;
use crate::common::scripts;

/// Scripts that run in a database one after the other.
pub struct Project {
    pub name: String,
    pub scripts: Vec<(PathBuf, String)>,
}

/// Returns the regression SQL and our own scripts, or the projects of the folder that `TYPES_CORPUS` names.
///
/// Each folder in it with SQL files is a project: their schema first, otherwise in the order of their names.
pub fn projects() -> Vec<Project> {
    let Some(folder) = std::env::var_os("TYPES_CORPUS") else {
        let mut scripts = regression();
        scripts.extend(scripts::read_all(scripts::sql_files(&scripts::root().join("tests/scopes"))));
        return vec![Project { name: "regression".to_owned(), scripts }];
    };
    let (mut projects, mut folders) = (Vec::new(), vec![PathBuf::from(&folder)]);
    while let Some(path) = folders.pop() {
        let entries = std::fs::read_dir(&path).expect("the folder can be read");
        folders.extend(entries.map(|it| it.expect("an entry").path()).filter(|it| it.is_dir()));
        let mut files = scripts::sql_files(&path);
        files.sort_by_key(|file| !is_schema(file));
        if !files.is_empty() {
            let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
            projects.push(Project { name, scripts: scripts::read_all(files) });
        }
    }
    projects.sort_by(|one, other| one.name.cmp(&other.name));
    projects
}

fn is_schema(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().contains("schema"))
}
