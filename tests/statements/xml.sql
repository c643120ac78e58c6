-- XML: constructors, parsing and serializing, XMLTABLE.

SELECT xmlconcat('<a/>', x, NULL) FROM t;
SELECT xmlelement(name foo);
SELECT xmlelement(name "Foo Bar", xmlattributes(a, b AS "Bee", 'lit' AS c));
SELECT xmlelement(name foo, 'content', x, 1);
SELECT xmlelement(name foo, xmlattributes(1 AS a), 'content', xmlelement(name inner_one));
SELECT xmlforest(a, b AS bee, a || b AS "C") FROM t;
SELECT xmlparse(DOCUMENT '<a/>');
SELECT xmlparse(CONTENT 'x<a/>');
SELECT xmlparse(CONTENT x PRESERVE WHITESPACE), xmlparse(DOCUMENT x STRIP WHITESPACE) FROM t;
SELECT xmlpi(name php), xmlpi(name "xml-stylesheet", 'href="x"');
SELECT xmlroot(x, VERSION '1.0'), xmlroot(x, VERSION NO VALUE), xmlroot(x, VERSION '1.1', STANDALONE YES), xmlroot(x, VERSION NO VALUE, STANDALONE NO), xmlroot(x, VERSION a::text, STANDALONE NO VALUE) FROM t;
SELECT xmlserialize(CONTENT x AS text), xmlserialize(DOCUMENT x AS varchar(100)) FROM t;
SELECT xmlserialize(CONTENT x AS text INDENT), xmlserialize(DOCUMENT x AS text NO INDENT) FROM t;
SELECT xmlexists('//a' PASSING x), xmlexists('//a' PASSING BY REF x), xmlexists('//a' PASSING BY VALUE x), xmlexists('//a' PASSING x BY REF), xmlexists('//a' PASSING BY REF x BY VALUE) FROM t;
SELECT x IS DOCUMENT, x IS NOT DOCUMENT, xmlagg(x ORDER BY a), xml '<lit/>', x::xml FROM t;

-- XMLTABLE
SELECT * FROM XMLTABLE('/rows/row' PASSING x COLUMNS a int);
SELECT * FROM XMLTABLE('/rows/row' PASSING BY REF x COLUMNS id FOR ORDINALITY, a int PATH '@a' NOT NULL DEFAULT -1, b text NULL, c text[] DEFAULT '{}' PATH 'c') AS xt;
SELECT * FROM t, LATERAL XMLTABLE(('/r/' || t.tag) PASSING t.x BY VALUE COLUMNS "A" varchar(5) PATH 'a' || 'b') xt (col1);
SELECT * FROM XMLTABLE(XMLNAMESPACES('http://e.org/x' AS x, DEFAULT 'http://e.org/d'), '/x:r' PASSING (SELECT doc FROM docs) COLUMNS v numeric(5, 2) PATH 'x:v');
SELECT * FROM XMLTABLE(XMLNAMESPACES(uri || '' AS "NS"), '/a' PASSING x COLUMNS n sch.typ DEFAULT f(1) NOT NULL) AS xt (n) CROSS JOIN t;
