-- What a server has, one line for each object: what `pg_ast_catalog/data/` has for each version. The first column is the extension
-- that an object belongs to, empty for PostgreSQL's own; the second is the line, its fields separated by tabs.
--
-- A type of pg_catalog is named alone; one of an extension has an @ before its name, since CREATE EXTENSION says in which schema it
-- is; others have their schema. The fields of each kind are those of the module that reads it.
WITH own AS (
    SELECT d.classid, d.objid, e.extname AS extension, e.extnamespace AS schema
    FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid AND d.refclassid = 'pg_extension'::regclass
    WHERE d.deptype = 'e'
), schema AS (
    SELECT oid, nspname AS name FROM pg_namespace WHERE nspname IN ('pg_catalog', 'information_schema')
        OR oid IN (SELECT objid FROM own WHERE classid = 'pg_namespace'::regclass)
), type AS (
    -- The types of arrays and multiranges belong to no extension by themselves.
    SELECT t.*, o.extension, CASE WHEN o.objid IS NOT NULL AND s.name IS NULL THEN '@' WHEN s.name = 'pg_catalog' THEN ''
        ELSE coalesce(s.name || '.', '@') END || t.typname AS name
    FROM pg_type t LEFT JOIN schema s ON s.oid = t.typnamespace
    LEFT JOIN pg_type element ON element.typarray = t.oid
    LEFT JOIN pg_range r ON r.rngmultitypid = coalesce(element.oid, t.oid)
    LEFT JOIN own o ON o.classid = 'pg_type'::regclass AND o.objid = coalesce(r.rngtypid, element.oid, t.oid)
        OR o.classid = 'pg_class'::regclass AND o.objid = coalesce(nullif(element.typrelid, 0), nullif(t.typrelid, 0))
), in_schema AS (
    SELECT oid, CASE WHEN s.name = 'pg_catalog' THEN '' ELSE coalesce(s.name || '.', '') END AS prefix
    FROM pg_namespace LEFT JOIN schema s USING (oid)
), function AS (
    SELECT p.*, o.extension, n.prefix || p.proname AS name FROM pg_proc p
    LEFT JOIN own o ON o.classid = 'pg_proc'::regclass AND o.objid = p.oid
    JOIN in_schema n ON n.oid = p.pronamespace
    WHERE p.oid < 16384 OR o.objid IS NOT NULL
), behind AS (
    -- Functions that something else of SQL stands for.
    SELECT unnest(ARRAY[oprcode, oprrest, oprjoin]::oid[]) AS oid FROM pg_operator
    UNION SELECT amproc FROM pg_amproc
    UNION SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typanalyze, typmodin, typmodout, typsubscript]::oid[])
        FROM pg_type
    UNION SELECT castfunc FROM pg_cast
    UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn,
        aggmfinalfn]::oid[]) FROM pg_aggregate
    UNION SELECT conproc FROM pg_conversion
), parameter AS (
    SELECT f.oid, p.ord, coalesce(f.proargmodes[p.ord], 'i') AS mode, coalesce(nullif(f.proargnames[p.ord], ''), '-') AS name, t.name AS type,
        -- Of the inputs, which are not the outputs.
        pg_get_function_arg_default(f.oid, p.ord::int) AS value
    FROM function f CROSS JOIN LATERAL unnest(coalesce(f.proallargtypes, f.proargtypes::oid[])) WITH ORDINALITY p (type, ord)
    JOIN type t ON t.oid = p.type
), line (extension, line) AS (
    SELECT t.extension, concat_ws(E'\t', 't', t.name, concat(t.typtype, t.typcategory, CASE WHEN t.typispreferred THEN 'p' ELSE '-' END,
            CASE WHEN t.typcollation <> 0 THEN 'c' ELSE '-' END, CASE WHEN t.typnotnull THEN 'n' ELSE '-' END),
        CASE WHEN t.typtype = 'd' THEN base.name || CASE WHEN t.typtypmod >= 0 THEN ' ' || t.typtypmod ELSE '' END
            WHEN t.typtype IN ('r', 'm') THEN sub.name
            WHEN t.typcategory = 'A' OR t.typsubscript = 'array_subscript_handler'::regproc THEN element.name
            WHEN t.typelem <> 0 THEN element.name ELSE '' END)
    FROM type t LEFT JOIN type base ON base.oid = t.typbasetype LEFT JOIN type element ON element.oid = t.typelem
    LEFT JOIN pg_range r ON r.rngtypid = t.oid OR r.rngmultitypid = t.oid
    LEFT JOIN type sub ON sub.oid = CASE WHEN r.rngmultitypid = t.oid THEN r.rngtypid ELSE r.rngsubtype END
    LEFT JOIN type of ON of.typarray = t.oid
    -- The rows of relations are types by the relations' names.
    WHERE (t.oid < 16384 OR t.extension IS NOT NULL) AND NOT EXISTS (SELECT FROM pg_class c
        WHERE c.oid IN (t.typrelid, of.typrelid) AND c.relkind <> 'c')
    UNION ALL
    SELECT f.extension, concat_ws(E'\t', 'f', f.name,
        concat(CASE WHEN a.aggkind <> 'n' THEN a.aggkind ELSE f.prokind END, f.provolatile, f.proparallel,
            CASE WHEN f.proisstrict THEN 't' ELSE 'f' END, CASE WHEN f.proretset THEN 's' ELSE '-' END,
            CASE WHEN f.proacl IS NOT NULL THEN 'x' ELSE '-' END,
            CASE WHEN f.oid IN (SELECT oid FROM behind) THEN 'b' ELSE '-' END, nullif(a.aggnumdirectargs, 0)),
        result.name, (SELECT string_agg(CASE WHEN mode = 'i' AND p.name = '-' AND value IS NULL THEN type
            ELSE concat_ws(' ', mode, p.name, type, value) END, E'\t' ORDER BY ord) FROM parameter p WHERE p.oid = f.oid))
    FROM function f LEFT JOIN pg_aggregate a ON a.aggfnoid = f.oid LEFT JOIN type result ON result.oid = f.prorettype
    UNION ALL
    SELECT own.extension, concat_ws(E'\t', 'o', o.oprname, coalesce(l.name, '-'), r.name, coalesce(result.name, '-'), f.name,
        coalesce(other.oprname, '-'), coalesce(negator.oprname, '-'),
        CASE WHEN o.oprcanmerge THEN 'm' ELSE '-' END || CASE WHEN o.oprcanhash THEN 'h' ELSE '-' END)
    FROM pg_operator o LEFT JOIN own ON own.classid = 'pg_operator'::regclass AND own.objid = o.oid
    LEFT JOIN type l ON l.oid = o.oprleft JOIN type r ON r.oid = o.oprright LEFT JOIN type result ON result.oid = o.oprresult
    JOIN function f ON f.oid = o.oprcode LEFT JOIN pg_operator other ON other.oid = o.oprcom
    LEFT JOIN pg_operator negator ON negator.oid = o.oprnegate
    WHERE o.oid < 16384 OR own.objid IS NOT NULL
    UNION ALL
    SELECT own.extension, concat_ws(E'\t', 'c', s.name, t.name, concat(c.castcontext, c.castmethod), f.name)
    FROM pg_cast c LEFT JOIN own ON own.classid = 'pg_cast'::regclass AND own.objid = c.oid
    JOIN type s ON s.oid = c.castsource JOIN type t ON t.oid = c.casttarget LEFT JOIN function f ON f.oid = c.castfunc
    WHERE c.oid < 16384 OR own.objid IS NOT NULL
    UNION ALL
    SELECT own.extension, concat_ws(E'\t', 'k', am.amname, c.opcname, t.name, f.opfname,
        CASE WHEN c.opcdefault THEN 'd' ELSE '-' END)
    FROM pg_opclass c LEFT JOIN own ON own.classid = 'pg_opclass'::regclass AND own.objid = c.oid
    JOIN pg_am am ON am.oid = c.opcmethod JOIN type t ON t.oid = c.opcintype JOIN pg_opfamily f ON f.oid = c.opcfamily
    WHERE c.oid < 16384 OR own.objid IS NOT NULL
    UNION ALL
    -- The operators of equality.
    SELECT own.extension, concat_ws(E'\t', 's', am.amname, f.opfname, o.oprname, l.name, r.name)
    FROM pg_amop a JOIN pg_am am ON am.oid = a.amopmethod JOIN pg_opfamily f ON f.oid = a.amopfamily
    JOIN pg_operator o ON o.oid = a.amopopr JOIN type l ON l.oid = a.amoplefttype JOIN type r ON r.oid = a.amoprighttype
    LEFT JOIN own ON own.classid = 'pg_operator'::regclass AND own.objid = o.oid
    WHERE (am.amname, a.amopstrategy) IN (('btree', 3), ('hash', 1))
        AND (a.oid < 16384 OR own.objid IS NOT NULL)
    UNION ALL
    -- Those of initdb depend on the machine; the pinned ones do not.
    SELECT NULL, concat_ws(E'\t', 'l', collname, concat(collprovider, CASE WHEN collisdeterministic THEN 'd' ELSE '-' END))
    FROM pg_collation WHERE oid < 12000
    UNION ALL
    SELECT own.extension, concat_ws(E'\t', 'r', n.prefix || c.relname, c.relkind,
        coalesce((SELECT string_agg(k.attname, ' ' ORDER BY array_position(con.conkey, k.attnum)) FROM pg_constraint con
            JOIN pg_attribute k ON k.attrelid = con.conrelid AND k.attnum = ANY (con.conkey)
            WHERE con.conrelid = c.oid AND con.contype = 'p'), ''),
        (SELECT string_agg(a.attname || ' ' || t.name || CASE WHEN a.attnotnull THEN ' n' ELSE '' END, E'\t' ORDER BY a.attnum)
            FROM pg_attribute a JOIN type t ON t.oid = a.atttypid WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))
    FROM pg_class c LEFT JOIN own ON own.classid = 'pg_class'::regclass AND own.objid = c.oid
    JOIN in_schema n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p', 'c', 'S') AND (c.oid < 16384 AND n.prefix IN ('', 'information_schema.')
        AND c.relnamespace <> 'pg_toast'::regnamespace OR own.objid IS NOT NULL)
    UNION ALL
    SELECT e.extname, concat_ws(E'\t', 'e', e.extversion, CASE WHEN e.extrelocatable THEN 'r' ELSE '-' END, coalesce(v.schema, ''),
        coalesce(array_to_string(v.requires, ' '), ''))
    FROM pg_extension e JOIN pg_available_extension_versions v ON v.name = e.extname AND v.version = e.extversion
)
SELECT coalesce(extension, ''), line FROM line WHERE line NOT LIKE '%pg_temp_%' AND line NOT LIKE '%pg_toast_%' ORDER BY extension COLLATE "C" NULLS FIRST, line COLLATE "C"
