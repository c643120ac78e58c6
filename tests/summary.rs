//! What libpg_query has of its own since 17, beside ours, over the whole of PostgreSQL's regression SQL: summaries, texts
//! cut to a length, utility statements; and layouts with comments.

mod common;

each_version!(since 17: layouts, summary);
