// The editor: CodeMirror, with our diagnostics, completion and formatting.

import { autocompletion } from "@codemirror/autocomplete";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";

const mark = StateEffect.define();

/** The range of what the mouse is over in the tree. */
const marked = StateField.define({
    create: () => Decoration.none,
    update(marks, { changes, effects }) {
        for (const effect of effects) {
            if (!effect.is(mark)) continue;
            const [from, to] = effect.value ?? [0, 0];
            return from < to ? Decoration.set([Decoration.mark({ class: "cm-marked" }).range(from, to)]) : Decoration.none;
        }
        return marks.map(changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

/** Makes the editor. `complete` returns what may come at an offset. */
export function makeEditor(parent, { doc, onChange, onFormat, complete }) {
    const source = async ({ pos, explicit, state }) => {
        const text = state.doc.toString();
        const found = await complete(text, pos);
        if (!found || (!explicit && found.word[0] === found.word[1])) return null;
        const options = found.expected
            .filter(({ kind }) => kind === "Keyword")
            .map(({ text }) => ({ label: text, type: "keyword" }));
        for (const { tableName, alias } of found.tables) {
            options.push({ label: alias ?? tableName, detail: alias && tableName, type: "class", boost: 2 });
        }
        if (found.names.length > 0) {
            // Nothing knows the database, but names come again.
            const known = new Set(options.map(({ label }) => label.toLowerCase()));
            const names = new Set(text.slice(0, 50_000).match(/[a-z_][a-z_0-9]{2,}/g));
            names.delete(text.slice(...found.word));
            for (const label of names) if (!known.has(label)) options.push({ label, type: "variable", boost: 1 });
        }
        return { from: found.word[0], options };
    };
    return new EditorView({
        parent,
        doc,
        extensions: [
            basicSetup,
            keymap.of([{ key: "Shift-Alt-f", run: () => (onFormat(), true) }]),
            sql({ dialect: PostgreSQL }),
            autocompletion({ override: [source] }),
            lintGutter(),
            marked,
            EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
        ],
    });
}

/** Marks a range, or nothing. */
export function markRange(view, range) {
    view.dispatch({ effects: mark.of(range && range[1] <= view.state.doc.length ? range : undefined) });
}

/** Selects a range, and shows it. */
export function selectRange(view, [anchor, head]) {
    if (head > view.state.doc.length) return;
    view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
    view.focus();
}

/** Shows what the linter found, with its fixes. */
export function showFindings(view, findings, sql) {
    const { length } = view.state.doc;
    const diagnostics = findings.map(({ rule, message, range: [from, to], help, expected, fix }) => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(to, from + 1), length),
        severity: isError(rule) ? "error" : "warning",
        source: rule,
        message: [message, help, expectedText(expected), fix && `Fix: ${fix.title}`].filter(Boolean).join("\n"),
        actions: fix ? [{ name: fix.title, apply: (view) => applyFix(view, fix, sql) }] : [],
    }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
}

export function isError(rule) {
    return rule.endsWith("syntax-error") || rule === "syntax";
}

/** Applies a fix for some SQL, unless there is another one now. */
export function applyFix(view, { changes }, sql) {
    if (view.state.doc.toString() !== sql) return;
    view.dispatch({ changes: changes.map(({ range: [from, to], text }) => ({ from, to, insert: text })) });
}

/** What could have come where the SQL is wrong; nobody reads more than some. */
export function expectedText(expected = []) {
    if (expected.length === 0) return "";
    const words = expected.slice(0, 8).map(({ kind, text }) => text ?? kind.toLowerCase());
    return `Expected: ${words.join(", ")}${expected.length > 8 ? `, .. (${expected.length})` : ""}`;
}
