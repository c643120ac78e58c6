//! PL/pgSQL as JSON: what libpg_query writes, and what is JSON where its own is not.

mod common;

each_version!(plpgsql);
