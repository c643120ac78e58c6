// Compiled by `npm run types`, and never run: what the types promise.

import { load, type Range } from "@pg-ast/parser";
import type { A_Const, Node, ParseResult, SelectStmt, Tree } from "@pg-ast/parser/pg18";
import type { Tree as Tree16 } from "@pg-ast/parser/pg16";

const pg = await load(18);
const tree: Tree = pg.parse("SELECT 1", { ranges: true });
const other: Tree16 = (await load(16)).parse("SELECT 1");
const json: ParseResult = tree.toJSON();
tree.walk((node, parent) => {
    if (node.nodeTag === "RangeVar") {
        const name: string | undefined = node.relname;
        // @ts-expect-error: it is of another type
        node.targetList;
        void name;
    }
    const range: Range | undefined = tree.range(node);
    void [range, parent];
});
const select: Node | undefined = tree.stmts[0]?.stmt;
if (select?.nodeTag === "SelectStmt") {
    const whole: SelectStmt = select;
    for (const target of whole.targetList) {
        if (target.nodeTag === "ResTarget" && target.val?.nodeTag === "A_Const") {
            const constant: A_Const = target.val;
            if (constant.val?.nodeTag === "Integer") constant.val.ival.toFixed();
            const value: number | undefined = constant.ival?.ival;
            void value;
        }
    }
    // @ts-expect-error: there is no such constant
    void (whole.op === "SETOP_ALL");
    const first = json.stmts[0]?.stmt;
    if (first && "SelectStmt" in first) void first.SelectStmt?.targetList?.length;
}
void other;
