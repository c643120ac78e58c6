//! What statements name, in each version.

use super::{NAME, pg};
use crate::common::corpus;

fn everything() -> Vec<String> {
    let mut statements = corpus::statements();
    statements.extend(corpus::own_statements());
    statements
}

#[cfg(any(feature = "pg17", feature = "pg18"))]
mod oracle {
    use std::collections::BTreeSet;
    use super::super::{c_route, pg, NAME};

    #[test]
    fn scratch_truncate() {
        let mut kinds = std::collections::BTreeMap::<String, Vec<String>>::new();
        let mut n = 0;
        for sql in super::everything() {
            let Ok(tree) = pg::parse(&sql) else { continue };
            for limit in [0, 4, 10, 20, 30, 40, 60, 80, 120, 200] {
                n += 1;
                let ours = tree.truncate(limit);
                if limit == 0 { if let Ok(text) = pg::deparse(&tree) { assert_eq!(tree.truncate(text.len()).unwrap(), text); 
                    tree.truncate(usize::MAX).unwrap();
 } }
                let theirs = if let Err(e) = &ours { if e.message().contains("NULL where") { continue } c_route::summary(&sql, limit as i32) } else { c_route::summary(&sql, limit as i32) };
                match (ours, theirs) {
                    (Ok(o), Ok(t)) => if o != t.truncated_query { let cols = tree.nodes().any(|(n, _)| matches!(n, pg::NodeRef::InsertStmt(s) if !s.cols.is_empty())); kinds.entry(if cols { "diff insert".into() } else { "diff".to_string() }).or_default().push(format!("{limit} {sql}\n      {o}\n      {}", t.truncated_query)) },
                    (Err(o), Err(t)) => { kinds.entry(format!("both err")).or_default().push(format!("{limit} {sql}\n {o:?} {t:?}")); }
                    (o, t) => { kinds.entry(format!("err {} {}", o.is_err(), t.is_err())).or_default().push(format!("{limit} {sql}\n      {o:?} {:?}", t.map(|t| t.truncated_query))); }
                }
            }
        }
        println!("{NAME}: {n}");
        for (k, v) in kinds { println!("== {k}: {}", v.len()); for s in v.iter().take(25) { println!("    {s}"); } }
    }

    #[test]
    fn scratch() {
        if !["pg17", "pg18"].contains(&NAME) { return; }
        let mut n = 0;
        let mut kinds = std::collections::BTreeMap::<String, Vec<String>>::new();
        for sql in super::everything() {
            let Ok(theirs_util) = c_route::is_utility_stmt(&sql) else { assert!(pg::is_utility_stmt(&sql).is_err()); continue };
            assert_eq!(pg::is_utility_stmt(&sql).unwrap(), theirs_util);
            assert_eq!(pg::parse(&sql).unwrap().is_utility_stmt(), theirs_util);
            n += 1;
            let ours = pg::summary(&sql, None).unwrap();
            let theirs = match c_route::summary(&sql, -1) { Ok(t) => t, Err(e) => { kinds.entry(format!("ERR {}", e.message)).or_default().push(sql); continue } };
            let mut diff = |what: &str, o: BTreeSet<String>, t: BTreeSet<String>| {
                if o != t {
                    let extra: Vec<_> = o.difference(&t).collect();
                    let missing: Vec<_> = t.difference(&o).collect();
                    let k = format!("{what} {}{}", if extra.is_empty() {""} else {"+"}, if missing.is_empty() {""} else {"-"});
                    kinds.entry(k).or_default().push(format!("{sql}\n      extra {extra:?} missing {missing:?}"));
                }
            };
            diff("tables", ours.tables.iter().map(|t| format!("{} {} {} {:?}", t.name, t.schema_name.clone().unwrap_or_default(), t.table_name, t.context).to_lowercase()).collect(),
              theirs.tables.iter().map(|t| format!("{} {} {} {:?}", t.name, t.schema_name, t.table_name, t.context()).to_lowercase()).collect());
            diff("functions", ours.functions.iter().map(|t| format!("{} {} {} {:?}", t.name, t.schema_name.clone().unwrap_or_default(), t.function_name, t.context).to_lowercase()).collect(),
              theirs.functions.iter().map(|t| format!("{} {} {} {:?}", t.name, t.schema_name, t.function_name, t.context()).to_lowercase()).collect());
            diff("filter", ours.filter_columns.iter().map(|t| format!("{:?} {:?} {:?}", t.schema_name.clone().unwrap_or_default(), t.table_name.clone().unwrap_or_default(), t.column)).collect(),
              theirs.filter_columns.iter().map(|t| format!("{:?} {:?} {:?}", t.schema_name, t.table_name, t.column)).collect());
            diff("ctes", ours.cte_names.iter().cloned().collect(), theirs.cte_names.iter().cloned().collect());
            diff("aliases", ours.aliases.iter().map(|t| format!("{t:?}")).collect(), theirs.aliases.iter().map(|t| format!("{t:?}")).collect());
            diff("types", ours.statement_types.iter().map(|t| t.to_string()).collect(), theirs.statement_types.iter().cloned().collect());
        }
        println!("{NAME}: {n}");
        for (k, v) in kinds { println!("== {k}: {}", v.len()); for s in v.iter().take(12) { println!("    {s}"); } }
    }
}
