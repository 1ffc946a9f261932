import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from './read-code-blocks.ts';

/** What the readers of a page know beside its code: a module with the values and types of one framework. */
interface Prelude {
  readonly name: string;
  readonly exports: ReadonlySet<string>;
}

/** The first has what several have, unless the page or the block is about another one. */
const ORDER = ['koa', 'node', 'express', 'fastify', 'fetch', 'hono', 'h3', 'elysia'];

/** The modules of a folder, from which blocks get the names that they leave undefined. */
export class Preludes {
  readonly #preludes: readonly Prelude[];

  constructor(folder: string) {
    const preludes = globSync('*.ts', { cwd: folder }).map((file) => ({
      name: basename(file, '.ts'),
      exports: exportsOf(join(folder, file)),
    }));
    const rank = ({ name }: Prelude): number => (ORDER.indexOf(name) + ORDER.length) % ORDER.length;
    this.#preludes = preludes.toSorted((a, b) => rank(a) - rank(b));
  }

  /** The imports of a block, in one line: its tab says more about its framework than its page. */
  importsFor({ page, tab }: Pick<CodeBlock, 'page' | 'tab'>, source: ts.SourceFile): string {
    const missing = missingIn(source);
    const words = tab === undefined ? page.split(/[/.]/) : [tab];
    const own = this.#preludes.filter(({ name }) => words.includes(name));
    const distinct = this.#preludes.filter(({ exports }) =>
      [...missing].some((name) => exports.has(name) && this.#owners(name).length === 1),
    );
    const imports = [...missing].flatMap((name) => {
      const owners = this.#owners(name);
      const from = [...own, ...distinct].find((each) => owners.includes(each)) ?? owners[0];
      return from === undefined ? [] : [`import { ${name} } from './${from.name}.ts';`];
    });
    return imports.join(' ');
  }

  #owners(name: string): readonly Prelude[] {
    return this.#preludes.filter(({ exports }) => exports.has(name));
  }
}

function exportsOf(file: string): Set<string> {
  const names = new Set<string>();
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause !== undefined) {
      const { exportClause } = statement;
      if (!ts.isNamedExports(exportClause)) continue;
      for (const { name } of exportClause.elements) names.add(name.text);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) names.add(name.getText());
    } else if ('name' in statement) {
      names.add((statement.name as ts.Identifier).text);
    }
  }
  return names;
}

/** The identifiers of a file that it does not declare itself. */
function missingIn(source: ts.SourceFile): Set<string> {
  const declared = new Set<string>();
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclaration(node)) declared.add(node.text);
      else if (!isMemberName(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return new Set([...used].filter((name) => !declared.has(name)));
}

function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node;
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent);
  return isNamed && parent.name === node;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return (
    (ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isObjectLiteralElement(parent)) &&
    parent.name === node
  );
}
