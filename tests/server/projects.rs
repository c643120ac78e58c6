//! Public projects, of which nothing is committed: the environment variable `PROJECTS` names a folder that has a folder of SQL files
//! for each. A folder with SQL files is a project itself. `SERVERS=15,18` leaves out other versions.
//!
//! What compares statements with a server reads them in place of all others, each project on servers of its own.

use std::path::{Path, PathBuf};

use super::common::scripts;
use super::compare::enabled;
use super::connection::Server;

/// A project, with its SQL files in the order of their names.
pub struct Project {
    pub name: String,
    pub scripts: Vec<(PathBuf, String)>,
}

impl Project {
    fn of(folder: &Path) -> Option<Self> {
        let scripts = scripts::read_all(scripts::sql_files(folder));
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (!scripts.is_empty()).then_some(Self { name, scripts })
    }
}

/// Returns the projects, if there are any.
pub fn given() -> Option<Vec<Project>> {
    let folder = PathBuf::from(std::env::var_os("PROJECTS")?);
    if let Some(project) = Project::of(&folder) {
        return Some(vec![project]);
    }
    let entries = std::fs::read_dir(&folder).expect("the folder of projects");
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let projects: Vec<_> = folders.iter().filter_map(|folder| Project::of(folder)).collect();
    assert!(!projects.is_empty(), "no project in {}", folder.display());
    Some(projects)
}

/// Compares statements on a server: those of a project, or the committed ones.
pub type Compare = fn(&mut Server, u32, Option<&Project>) -> Vec<String>;

/// Compares the statements of each project, or the committed ones, on a server of each version that there is.
pub fn compare(what: Compare) -> Vec<String> {
    let projects = given();
    let projects: Vec<Option<&Project>> = match &projects {
        Some(projects) => projects.iter().map(Some).collect(),
        None => vec![None],
    };
    let mut mistakes = Vec::new();
    // Not all versions.
    let servers = std::env::var("SERVERS").unwrap_or_default();
    for version in enabled() {
        let major = version.major();
        if !servers.is_empty() && servers.split(',').all(|it| it != major.to_string()) {
            continue;
        }
        let mut server = match Server::of(major) {
            Ok(server) => server,
            Err(why) => {
                eprintln!("\nNOT TESTED: PostgreSQL {major}: {why}\n");
                continue;
            }
        };
        for project in &projects {
            if let Some(project) = project {
                println!("PostgreSQL {major}, {}", project.name);
                server.renew();
            }
            let found = what(&mut server, major, *project);
            let name = project.map(|project| format!("{major} {}: ", project.name));
            let name = name.unwrap_or_default();
            let found = found.into_iter().map(|mistake| name.clone() + &mistake);
            for mistake in found {
                if project.is_some() {
                    println!("{mistake}");
                }
                mistakes.push(mistake);
            }
        }
    }
    mistakes
}
