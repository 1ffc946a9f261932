import type ts from 'typescript';
import { typeScript } from './typescript.ts';

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Changes to a file's text at nodes of its syntax tree, with the file's quotes and line ends. */
export class TextEdit {
  readonly #source: ts.SourceFile;
  readonly #changes: Change[] = [];

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  /** After the last import. */
  addImport(line: string): void {
    const { text, statements } = this.#source;
    const last = statements.findLast((one) => typeScript().isImportDeclaration(one));
    const lineEnd = last === undefined ? -1 : text.indexOf('\n', last.end);
    this.#change(lineEnd + 1, lineEnd + 1, `${line}\n`);
  }

  insertAfter(statement: ts.Statement, line: string): void {
    const indent = this.#indentOf(statement);
    this.#change(
      statement.end,
      statement.end,
      `\n${indent}${line.replaceAll('\n', `\n${indent}`)}`,
    );
  }

  /** Before the statement and its comment. */
  insertBefore(statement: ts.Statement, line: string): void {
    const at = this.#startWithComment(statement);
    const indent = this.#indentOf(statement);
    this.#change(at, at, `${line.replaceAll('\n', `\n${indent}`)}\n\n${indent}`);
  }

  /** Replaces a node's code; its comment stays. */
  replace(node: ts.Node, code: string): void {
    const indented = code.replaceAll('\n', `\n${this.#indentOf(node)}`);
    this.#change(node.getStart(), node.end, indented);
  }

  /** Writes code on both sides of a node. */
  wrap(node: ts.Node, before: string, after: string): void {
    this.#change(node.getStart(), node.getStart(), before);
    this.#change(node.end, node.end, after);
  }

  /** Removes a node's code except that of a node in it. */
  unwrap(node: ts.Node, inner: ts.Node): void {
    this.#change(node.getStart(), inner.getStart(), '');
    this.#change(inner.end, node.end, '');
  }

  /** Removes a statement and its comment. */
  remove(statement: ts.Statement): void {
    const { text } = this.#source;
    let from = this.#startWithComment(statement);
    while (from > 0 && /[ \t]/.test(text[from - 1]!)) from--;
    const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(statement.end))![0].length;
    this.#change(from, statement.end + rest, '');
  }

  /** Removes names from an import, or the whole import where none is left. */
  removeImports(declaration: ts.ImportDeclaration, names: ReadonlySet<string>): void {
    const api = typeScript();
    const { importClause, moduleSpecifier } = declaration;
    const isKept = (name: ts.Identifier | undefined): boolean =>
      name !== undefined && !names.has(name.text);
    const bindings = importClause?.namedBindings;
    const named =
      bindings !== undefined && api.isNamedImports(bindings)
        ? bindings.elements.filter(({ name }) => isKept(name)).map((element) => element.getText())
        : [];
    const rest = [
      ...(isKept(importClause?.name) ? [importClause!.name!.text] : []),
      ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : []),
      ...(bindings !== undefined && api.isNamespaceImport(bindings) && isKept(bindings.name)
        ? [bindings.getText()]
        : []),
    ];
    if (rest.length === 0) {
      this.remove(declaration);
      return;
    }
    const semicolon = declaration.getText().endsWith(';') ? ';' : '';
    const text = `import ${rest.join(', ')} from ${moduleSpecifier.getText()}${semicolon}`;
    this.#changes.push({ from: declaration.getStart(), to: declaration.end, text });
  }

  /** The file with all changes. */
  apply(): string {
    const { text } = this.#source;
    const changes = this.#changes.toSorted((one, other) => one.from - other.from);
    let result = '';
    let at = 0;
    for (const { from, to, text: changed } of changes) {
      result = join(result, text.slice(at, from)) + changed;
      at = Math.max(at, to);
    }
    return join(result, text.slice(at));
  }

  #change(from: number, to: number, text: string): void {
    this.#changes.push({ from, to, text: this.#inStyle(text) });
  }

  /** With the file's quotes, semicolons and line ends. */
  #inStyle(line: string): string {
    const { text } = this.#source;
    const first = this.#source.statements[0]?.getText() ?? '';
    const quoted = /^import[^']*"/.test(first) ? line.replaceAll("'", '"') : line;
    const ended = first.endsWith(';') ? quoted : quoted.replace(/;(?=\s*$)/, '');
    return text.includes('\r\n') ? ended.replaceAll('\n', '\r\n') : ended;
  }

  #indentOf(node: ts.Node): string {
    const { text } = this.#source;
    const line = text.slice(text.lastIndexOf('\n', node.getStart() - 1) + 1);
    return /^[ \t]*/.exec(line)![0];
  }

  /** The start of a statement, including the last comment above it if no empty line is between them. */
  #startWithComment(statement: ts.Statement): number {
    const { text } = this.#source;
    const start = statement.getStart();
    const comment = typeScript().getLeadingCommentRanges(text, statement.getFullStart())?.at(-1);
    const isItsOwn = comment !== undefined && !/\n\s*\n/.test(text.slice(comment.end, start));
    return isItsOwn ? comment.pos : start;
  }
}

/** Leaves one empty line where the code between two has been removed. */
function join(before: string, after: string): string {
  const isAtEmptyLine = before === '' || /\n\r?\n$/.test(before);
  return before + (isAtEmptyLine ? after.replace(/^(\r?\n)+/, '') : after);
}
