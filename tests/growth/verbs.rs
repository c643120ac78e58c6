//! The operations on SQL.

use std::hint::black_box;

use pg_ast::prost::Message as _;
use pg_ast::{
    BackslashQuote, ColumnUnit, DeparseOptions, DigestOptions, Edits, HeapSize as _, LineIndex,
    NodeRef, ParseMode, ParseResult, ParserOptions, Shape, ShapeCache, ShapeOptions, Template,
    view,
};
use pg_ast_effects::FindEffects as _;

/// SQL, with its tree if it has one.
pub struct Input {
    sql: String,
    tree: Option<ParseResult>,
}

impl Input {
    pub fn new(sql: &str) -> Self {
        Self { sql: sql.to_owned(), tree: pg_ast::parse(sql).ok() }
    }
}

type Work<'a> = Box<dyn Fn() + 'a>;

pub struct Verb {
    pub name: &'static str,
    /// True if it has its own loops over the SQL, and so always runs under valgrind.
    pub hot: bool,
    /// The counted work; `None` if the SQL has no tree.
    pub prepare: for<'a> fn(&'a Input) -> Option<Work<'a>>,
}

/// An operation on SQL. Errors are results, too.
macro_rules! text {
    ($name:literal, $hot:literal, |$sql:ident| $work:expr) => {
        Verb {
            name: $name,
            hot: $hot,
            prepare: |input| {
                let $sql = &*input.sql;
                Some(Box::new(move || {
                    let _ = black_box($work);
                }))
            },
        }
    };
}

/// An operation on a tree.
macro_rules! tree {
    ($name:literal, $hot:literal, |$tree:ident| $work:expr) => {
        Verb {
            name: $name,
            hot: $hot,
            prepare: |input| {
                let $tree = input.tree.as_ref()?;
                Some(Box::new(move || {
                    let _ = black_box($work);
                }))
            },
        }
    };
}

/// Removes each name with its comma.
fn edited(sql: &str) -> pg_ast::Result<String> {
    let (tree, ranges) = pg_ast::parse_with_ranges(sql, ParserOptions::default())?;
    let mut edits = Edits::new(sql);
    for (node, range) in tree.nodes().with_ranges(&ranges) {
        if let (NodeRef::String(_), Some(range)) = (node, range) {
            edits.remove_item(range);
        }
    }
    edits.apply()
}

pub const VERBS: &[Verb] = &[
    text!("parse", false, |sql| pg_ast::parse(sql)),
    text!("parse_with", false, |sql| {
        let options = ParserOptions::default()
            .standard_conforming_strings(false)
            .backslash_quote(BackslashQuote::On);
        pg_ast::parse_with(sql, options)
    }),
    text!("parse_with mode", false, |sql| {
        pg_ast::parse_with(sql, ParserOptions::default().mode(ParseMode::PlPgSqlExpr))
    }),
    text!("parse_with_ranges", true, |sql| {
        // They are computed on request.
        let found = pg_ast::parse_with_ranges(sql, ParserOptions::default());
        found.map(|(tree, ranges)| (tree, ranges.iter().flatten().count()))
    }),
    text!("edits", true, |sql| edited(sql)),
    text!("lines and columns", true, |sql| {
        let lines = LineIndex::new(sql);
        let places = (0..sql.len()).step_by(8);
        places.map(|at| lines.line_column(at, ColumnUnit::Utf16).column).max()
    }),
    text!("check", false, |sql| pg_ast::check(sql)),
    text!("fingerprint", false, |sql| pg_ast::fingerprint(sql)),
    text!("normalize", true, |sql| pg_ast::normalize(sql)),
    text!("normalize_utility", false, |sql| pg_ast::normalize_utility(sql)),
    text!("scan", true, |sql| pg_ast::scan(sql)),
    text!("scan_lossy", true, |sql| pg_ast::scan_lossy(sql)),
    text!("comments_lossy", false, |sql| pg_ast::comments_lossy(sql)),
    text!("split_lossy", false, |sql| pg_ast::split_lossy(sql)),
    text!("comments", false, |sql| pg_ast::comments(sql)),
    text!("split_with_scanner", false, |sql| pg_ast::split_with_scanner(sql)),
    text!("split_with_parser", false, |sql| pg_ast::split_with_parser(sql)),
    text!("parse_script", true, |sql| pg_ast::parse_script(sql)),
    text!("is_utility_stmt", false, |sql| pg_ast::is_utility_stmt(sql)),
    text!("digest", false, |sql| {
        let options = DigestOptions::default().fingerprint(true).normalized(true).analysis(true);
        pg_ast::digest(sql, options.statement_types(true).truncated(Some(100)))
    }),
    text!("summary", false, |sql| pg_ast::summary(sql, None)),
    text!("summary, truncated", false, |sql| pg_ast::summary(sql, Some(40))),
    text!("reformat", false, |sql| pg_ast::reformat(sql, DeparseOptions::default())),
    text!("complete", false, |sql| Ok::<_, pg_ast::Error>(pg_ast::complete(sql, sql.len()))),
    text!("complete, unfinished", false, |sql| {
        let tokens = pg_ast::scan_lossy(sql).scan.tokens;
        let half = tokens.get(tokens.len() / 2).map_or(0, |token| token.range().start);
        let unfinished = format!("{} FROM t WHERE a", &sql[..half]);
        Ok::<_, pg_ast::Error>(pg_ast::complete(&unfinished, half))
    }),
    text!("syntax::Script::parse", false, |sql| {
        pg_ast_syntax::Script::parse(&format!("{sql}\n;SELECT :a;{sql}\n:b")).map(drop)
    }),
    text!("syntax::Script::parse, placeholders", true, |sql| {
        let placeholders = pg_ast_syntax::Placeholders::all();
        let options = pg_ast_syntax::ScriptOptions::default().placeholders(placeholders);
        pg_ast_syntax::Script::parse_with(sql, options).map(drop)
    }),
    text!("syntax::Script::check", false, |sql| {
        let script = pg_ast_syntax::Script::parse(&format!("{sql}\n;SELECT :a;{sql}\n:b"));
        script.map(|script| (script.check(), script.written()))
    }),
    #[cfg(feature = "lint")]
    text!("lint", false, |sql| {
        let options = pg_ast_lint::Options::default();
        Ok::<_, pg_ast::Error>(pg_ast_lint::lint(&format!("{sql}\n;SELECT :a;{sql}\n:b"), &options))
    }),
    text!("syntax::parse", false, |sql| pg_ast_syntax::parse(&format!("{sql}\n) 1 1 FORM ("))),
    tree!("resolve", true, |tree| pg_ast_names::resolve(tree, &pg_ast_names::NoCatalog)),
    Verb {
        name: "resolve with a catalog",
        hot: true,
        prepare: |input| {
            let tree = input.tree.as_ref()?;
            let mut catalog = pg_ast_names::DdlCatalog::new();
            let tables = "CREATE TABLE t (a int, b int, c int); CREATE TABLE u (a int, d int)";
            pg_ast_names::define(&pg_ast::parse(tables).ok()?, &mut catalog);
            Some(Box::new(move || drop(black_box(pg_ast_names::resolve(tree, &catalog)))))
        },
    },
    tree!("dependencies", false, |tree| {
        let mut catalog = pg_ast_names::DdlCatalog::new();
        pg_ast_names::define(tree, &mut catalog);
        pg_ast_names::dependencies(tree, &catalog).order()
    }),
    text!("parse_lossy", false, |sql| pg_ast::parse_lossy(&format!("{sql}\n) 1 1 FORM ("))),
    text!("expected", false, |sql| {
        let mistake = format!("{sql}\n) 1 1 FORM t");
        pg_ast::check(&mistake)
            .map_err(|error| (error.expected(&mistake), error.suggestion(&mistake)))
    }),
    tree!("deparse", false, |tree| tree.deparse()),
    tree!("deparse, pretty", false, |tree| {
        pg_ast::deparse_with(tree, DeparseOptions::default().pretty_print(true))
    }),
    Verb {
        name: "deparse, comments",
        hot: true,
        prepare: |input| {
            let (tree, comments) = (input.tree.as_ref()?, pg_ast::comments(&input.sql).ok()?);
            let options = DeparseOptions::default().comments(comments);
            Some(Box::new(move || drop(pg_ast::deparse_with(tree, &options))))
        },
    },
    tree!("fingerprint of a tree", false, |tree| tree.fingerprint()),
    tree!("deparse_truncated", false, |tree| tree.deparse_truncated(100)),
    tree!("analyze", false, |tree| tree.analyze()),
    tree!("types", true, |tree| pg_ast_types::types(tree, &pg_ast_names::DdlCatalog::new())),
    tree!("effects", true, |tree| tree.effects()),
    tree!("aliases", false, |tree| (tree.aliases(), tree.tables(), tree.filter_columns())),
    tree!("nodes", false, |tree| tree.nodes().count()),
    tree!("walk_names", false, |tree| {
        let mut bytes = 0;
        tree.walk_names(|name, _used| bytes += name.name().len());
        bytes
    }),
    tree!("walk_columns_mut", false, |tree| {
        let mut tree = tree.clone();
        tree.walk_columns_mut(|column, _used| column.set_name("c"));
        tree
    }),
    text!("names in place", false, |sql| {
        view::parse(sql).map(|mut tree| {
            tree.edit(|mut stmts, _| stmts.walk_names_mut(|name, _used| name.set_name("n")));
            tree
        })
    }),
    text!("ranges of names", true, |sql| {
        let found = pg_ast::parse_with_ranges(sql, ParserOptions::default());
        found.map(|(tree, ranges)| {
            let mut bytes = 0;
            tree.walk_names(|name, _used| {
                bytes += ranges.name(name).map_or(0, |range| range.len());
            });
            (bytes, tree.with_ranges(&ranges).get(&pg_ast::protobuf::SelectStmt::default()))
        })
    }),
    tree!("column values", false, |tree| {
        let table = pg_ast::QualifiedName { schema: None, name: "t".to_owned() };
        pg_ast_names::column_values(&*tree, &table, "a", &pg_ast_names::NoCatalog).uses.len()
    }),
    tree!("lineage", false, |tree| {
        let found = pg_ast_names::lineage(tree, &pg_ast_names::NoCatalog);
        let last = found.results.last();
        last.map(|result| {
            let of_column = result.columns.last().map(|column| found.sources(column).len());
            (of_column, found.influences(result).len())
        })
    }),
    tree!("filters", false, |tree| {
        tree.stmts().map(|stmt| stmt.filters().len()).sum::<usize>()
    }),
    Verb {
        name: "transform",
        hot: false,
        prepare: |input| {
            let tree = input.tree.as_ref()?;
            Some(Box::new(move || {
                for stmt in tree.protobuf.stmts.clone() {
                    if let Some(mut stmt) = stmt.stmt {
                        stmt.transform(|node| node);
                    }
                }
            }))
        },
    },
    tree!("heap_size", false, |tree| tree.heap_size()),
    tree!("clone", false, |tree| tree.clone()),
    tree!("compare", false, |tree| tree.protobuf == black_box(tree).protobuf),
    tree!("Debug", false, |tree| format!("{tree:?}")),
    text!("Debug of a view", false, |sql| view::parse(sql).map(|tree| format!("{tree:?}"))),
    text!("shape", true, |sql| Shape::of(sql).map(|shape| shape.constants().count())),
    text!("shape without layout", true, |sql| {
        Shape::of_with(sql, ShapeOptions::default().ignore_layout(true))
            .map(|shape| shape.key().len())
    }),
    text!("template", false, |sql| Template::new(sql).map(|template| template.heap_size())),
    Verb {
        name: "bind a template",
        hot: true,
        prepare: |input| {
            let template = Template::new(&input.sql).ok()?;
            Some(Box::new(move || {
                let shape = Shape::of(&input.sql).expect("a shape");
                assert!(black_box(template.bind(&shape)).is_some());
            }))
        },
    },
    Verb {
        name: "normalize by a template",
        hot: false,
        prepare: |input| {
            let cache = ShapeCache::new(256 << 20, ShapeOptions::default());
            for _ in 0..2 {
                cache.get(&input.sql, |_| ()).ok()?;
            }
            Some(Box::new(move || {
                let hit = cache.get(&input.sql, |_| ()).expect("parses");
                drop(black_box(hit.normalize()));
            }))
        },
    },
    tree!("encode", false, |tree| tree.protobuf.encode_to_vec()),
    Verb {
        name: "decode",
        hot: false,
        prepare: |input| {
            let bytes = input.tree.as_ref()?.protobuf.encode_to_vec();
            Some(Box::new(move || drop(pg_ast::protobuf::ParseResult::decode(&*bytes))))
        },
    },
    #[cfg(feature = "plpgsql")]
    text!("parse_plpgsql", true, |sql| pg_ast::parse_plpgsql(sql)),
    #[cfg(feature = "plpgsql")]
    text!("plpgsql::parse", true, |sql| pg_ast::plpgsql::parse(sql)),
    #[cfg(feature = "plpgsql")]
    text!("plpgsql::facts", true, |sql| {
        let parsed = pg_ast::plpgsql::parse(sql);
        let functions = parsed.iter().flat_map(|parsed| &parsed.functions);
        for function in functions.filter_map(|parsed| parsed.function.as_ref().ok()) {
            black_box((pg_ast_plpgsql::flow(function), pg_ast_plpgsql::facts(function)));
        }
        parsed
    }),
    #[cfg(feature = "plpgsql")]
    text!("syntax::body_of plpgsql", true, |sql| {
        pg_ast_syntax::parse(sql).and_then(|root| pg_ast_syntax::body_of(&root))
    }),
    #[cfg(all(feature = "lint", feature = "plpgsql"))]
    text!("lint plpgsql", true, |sql| pg_ast_lint::lint(sql, &pg_ast_lint::Options::default())),
    #[cfg(feature = "serde")]
    tree!("to JSON", false, |tree| pg_ast::json::to_string(&tree.protobuf)),
    #[cfg(feature = "serde")]
    Verb {
        name: "from JSON",
        hot: false,
        prepare: |input| {
            let json = pg_ast::json::to_string(&input.tree.as_ref()?.protobuf).ok()?;
            Some(Box::new(move || {
                drop(pg_ast::json::from_str::<pg_ast::protobuf::ParseResult>(&json));
            }))
        },
    },
];
