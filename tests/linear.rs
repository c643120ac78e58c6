//! What is done in linear time here gives what libpg_query's own code gives. (`growth.rs` holds that it
//! is linear.)

mod common;

each_version!(linear);
