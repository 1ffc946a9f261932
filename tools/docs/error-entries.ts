import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A code with the text of its doc comment. */
export interface ErrorEntry {
  readonly code: string;
  /** Undefined for an error that no client gets. */
  readonly status: number | undefined;
  /** When it happens. */
  readonly when: string;
  /** What to do about it. */
  readonly advice: string;
  /** A message, or the header of an answer that has no message. */
  readonly example: string;
}

/** Codes that belong together. */
export interface ErrorSection {
  readonly title: string;
  readonly entries: readonly ErrorEntry[];
}

/**
 * Reads the codes of servers. A line comment begins a section.
 *
 * @param file - A module with `const ERROR_CODES = { … } as const`.
 */
export function readErrorCodes(file: string): ErrorSection[] {
  const source = parse(file);
  const sections: { title: string; entries: ErrorEntry[] }[] = [];
  for (const member of membersOf(source, 'ERROR_CODES')) {
    const title = sectionTitle(source, member);
    if (title !== undefined) sections.push({ title, entries: [] });
    const { initializer } = member as ts.PropertyAssignment;
    sections.at(-1)!.entries.push(toEntry(source, member, Number(initializer.getText(source))));
  }
  return sections;
}

/**
 * Reads the codes of schematics.
 *
 * @param file - A module with `interface Refusals`; a code with no example is one of servers.
 */
export function readRefusals(file: string): ErrorEntry[] {
  const source = parse(file);
  return membersOf(source, 'Refusals')
    .map((member) => toEntry(source, member, undefined))
    .filter(({ example }) => example !== '');
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function membersOf(source: ts.SourceFile, name: string): readonly ts.Node[] {
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) {
      return statement.members;
    }
    if (!ts.isVariableStatement(statement)) continue;
    const [declaration] = statement.declarationList.declarations;
    if (declaration?.name.getText(source) !== name) continue;
    const { expression } = declaration.initializer as ts.AsExpression;
    return (expression as ts.ObjectLiteralExpression).properties;
  }
  throw new Error(`${source.fileName} has no ${name}`);
}

function sectionTitle(source: ts.SourceFile, member: ts.Node): string | undefined {
  const comments = ts.getLeadingCommentRanges(source.text, member.pos) ?? [];
  const line = comments.find(({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia);
  return line && source.text.slice(line.pos + 2, line.end).trim();
}

function toEntry(source: ts.SourceFile, member: ts.Node, status: number | undefined): ErrorEntry {
  const code = (member as ts.PropertyAssignment).name.getText(source);
  const comment = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.getText(source) ?? '';
  const [when = '', advice = '', example = ''] = textOf(comment).split(/ @(?:remarks|example) /);
  return { code, status, when, advice, example };
}

/** On one line. TypeScript's own reading would end the text at a package's name, as at a tag. */
function textOf(comment: string): string {
  const lines = comment.slice('/**'.length, -'*/'.length).split('\n');
  const texts = lines.map((line) => line.replace(/^\s*\* ?/, '').trim());
  return texts
    .filter((text) => text !== '')
    .join(' ')
    .trim();
}
