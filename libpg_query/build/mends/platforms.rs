//! Mends that make versions compile on more systems.

use super::{Mend, NEWEST};

pub(super) const MENDS: &[Mend] = &[
    Mend {
        file: "src/postgres/include/postgres.h",
        versions: 16..=NEWEST,
        function: "",
        find: "\n\n#include \"c.h\"\n",
        count: 1,
        replace: "\n#include \"c.h\"\n#pragma pop_macro(\"errcode\")\n",
        why: "on Windows, c.h undefines errcode, which then goes without its version's prefix; symbols.rs pushes it",
    },
    Mend {
        file: "src/postgres/src_port_snprintf.c",
        versions: 15..=16,
        function: "",
        find: "#ifndef HAVE_STRCHRNUL\n\nstatic inline",
        count: 1,
        replace: "#ifndef HAVE_STRCHRNUL\n#define strchrnul pg_strchrnul\nstatic inline",
        why: "macOS since 15.4, and glibc's newest headers for an older glibc, declare a function of this name",
    },
    Mend {
        file: "src/postgres/src_port_strlcpy.c",
        versions: NEWEST..=NEWEST,
        function: "",
        find: "#if HAVE_DECL_STRLCPY == 0\n",
        count: 1,
        replace: "#if HAVE_DECL_STRLCPY == 0 || !defined(__APPLE__)\n",
        why: "musl, and glibc since 2.38, declare a function of this name, and the declaration gets its version's prefix as \
              well; for Apple it is a macro, which has none",
    },
];
