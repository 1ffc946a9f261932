import type ts from 'typescript';
import { shapeOf } from '../shape.ts';
import { TextEdit } from '../text-edit.ts';
import { parseSource, typeScript } from '../typescript.ts';
import { findShutdown, removeShutdown, type Shutdown } from './listen-call.ts';
import { engineNames, isEngine, rendersWith } from './middleware-edit.ts';
import { type ExpressApp, findApp, isOn } from './stock-statements.ts';
import { namesIn } from './unused-declarations.ts';

const PACKAGE = '@ng-ssr/express';
/** The options that Angular's engine takes under the same names. */
const SHARED_OPTIONS = ['allowedHosts', 'trustProxyHeaders'];
/** What the edit that inserts the middleware writes, and the engine needs no more. */
const OWN_OPTIONS = ['engine', 'forwardErrors'];

/** The code of the middleware in an Express server. */
interface Inserted {
  readonly importing: ts.ImportDeclaration;
  readonly creation: ts.VariableStatement;
  readonly use: ts.Statement;
  readonly shutdown: Shutdown | undefined;
  readonly options: readonly ts.PropertyAssignment[];
}

/**
 * Replaces the pages' middleware in an Express server with Angular's own handlers for files and pages;
 * all else stays unchanged, except for the order of the imports and variables that are added with them.
 *
 * @param scaffold - The server.ts with these handlers and the declarations that they need.
 * @param local - The options of the middleware that are only for local work, as source.
 * @returns undefined where the middleware has options, or uses, that would be lost.
 */
export function removeMiddleware(
  text: string,
  scaffold: string,
  local: readonly string[],
): string | undefined {
  const source = parseSource(text);
  const app = findApp(source);
  const inserted = app && findInserted(source, app);
  if (app === undefined || inserted === undefined) return undefined;
  const { importing, creation, use, shutdown, options } = inserted;

  const edit = new TextEdit(source);
  if (shutdown !== undefined) removeShutdown(edit, shutdown);
  const engines = engineNames(source);
  if (app.scope.some((statement) => rendersWith(statement, engines))) {
    // The user's own handler still follows the middleware.
    for (const statement of [importing, creation, use]) edit.remove(statement);
    return edit.apply();
  }
  const theirs = parseSource(scaffold);
  const { files, render, declarations } = handlersOf(theirs);
  const present = declaredIn(source, app);
  const engine = declarations.find((one) => isEngine(one))!;
  const needed = declarations.filter((one) => one !== engine && !present.has(nameOf(one)));
  const carried = options
    .filter(({ name }) => SHARED_OPTIONS.includes(name.getText()))
    .filter(
      (option) =>
        !local.some((one) => shapeOf(`({${one}})`) === shapeOf(`({${option.getText()}})`)),
    )
    .map((option) => option.getText());
  const onApp = (code: string): string => code.replace(/^app\./, `${app.name}.`);

  addImports(edit, source, theirs, importing, [files, render, engine, ...needed]);
  if (needed.length > 0) {
    edit.insertBefore(app.declaration, needed.map((one) => one.getText()).join('\n'));
  }
  const argument = carried.length === 0 ? '()' : `({ ${carried.join(', ')} })`;
  edit.replace(creation, engine.getText().replace('()', argument));
  if (
    !app.scope.some(
      (one) => isOn(one, app.name) && /\bexpress\.static\(\s*browserDist/.test(one.getText()),
    )
  ) {
    edit.insertBefore(use, commentOf(files) + onApp(files.getText()));
  }
  edit.replace(use, onApp(withBootstrap(render.getText(), options)));
  return edit.apply();
}

function findInserted(source: ts.SourceFile, app: ExpressApp): Inserted | undefined {
  const api = typeScript();
  const importing = source.statements
    .filter((one) => api.isImportDeclaration(one))
    .find(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text === PACKAGE);
  const creation = app.scope
    .filter((one) => api.isVariableStatement(one))
    .find((one) => /=\s*ssrMiddleware\(/.test(one.getText()));
  if (importing === undefined || creation === undefined) return undefined;
  const name = nameOf(creation);
  const use = app.scope.find(
    (one) => one.getText().replace(/;$/, '') === `${app.name}.use(${name})`,
  );
  const options = optionsOf(creation);
  const shutdown = findShutdown(source, app, name);
  // Its declaration, `app.use` and the shutdown.
  const uses = source.statements.flatMap((one) => referencesTo(one, name)).length;
  const areKnown = uses === (shutdown === undefined ? 2 : 3);
  const imported = importing.importClause?.getText() ?? '';
  const isAsInserted =
    /^\{\s*(app|common)Engine,\s*(shutDownOnSignals,\s*)?ssrMiddleware,?\s*\}$/.test(imported) &&
    imported.includes('shutDownOnSignals') === (shutdown !== undefined);
  if (use === undefined || options === undefined || !areKnown || !isAsInserted) return undefined;
  return { importing, creation, use, shutdown, options };
}

/** The options of the middleware; undefined where Angular's engine lacks one of them. */
function optionsOf(creation: ts.VariableStatement): ts.PropertyAssignment[] | undefined {
  const api = typeScript();
  const call = creation.declarationList.declarations[0]?.initializer;
  const argument = call && api.isCallExpression(call) ? call.arguments[0] : undefined;
  if (argument === undefined || !api.isObjectLiteralExpression(argument)) return undefined;
  const options = argument.properties.filter((one) => api.isPropertyAssignment(one));
  const known = [...SHARED_OPTIONS, ...OWN_OPTIONS];
  const areKnown = options.every(({ name }) => known.includes(name.getText()));
  const engine = options.find(({ name }) => name.getText() === 'engine')?.initializer.getText();
  const isPlain = /^(appEngine\(\)|commonEngine\(\{\s*bootstrap(: \w+)?,?\s*\}\))$/.test(
    engine ?? '',
  );
  return options.length === argument.properties.length && areKnown && isPlain ? options : undefined;
}

/** Angular's handlers for files and pages, and the variables that they use. */
function handlersOf(scaffold: ts.SourceFile): {
  readonly files: ts.Statement;
  readonly render: ts.Statement;
  readonly declarations: readonly ts.VariableStatement[];
} {
  const api = typeScript();
  const app = findApp(scaffold)!;
  const mine = app.scope.filter((one) => isOn(one, app.name));
  const files = mine.find((one) => /\bexpress\.static\(/.test(one.getText()))!;
  const render = mine.find((one) => rendersWith(one, engineNames(scaffold)))!;
  const used = new Set([files, render].flatMap((one) => [...namesIn(one)]));
  const declarations: ts.VariableStatement[] = [];
  // Each follows the declarations that it uses.
  for (const one of app.scope.toReversed()) {
    if (!api.isVariableStatement(one) || one === app.declaration || !used.has(nameOf(one)))
      continue;
    declarations.unshift(one);
    for (const name of namesIn(one)) used.add(name);
  }
  return { files, render, declarations };
}

/** Replaces the middleware's import with the imports that code of the scaffold uses. */
function addImports(
  edit: TextEdit,
  source: ts.SourceFile,
  scaffold: ts.SourceFile,
  place: ts.ImportDeclaration,
  code: readonly ts.Node[],
): void {
  const api = typeScript();
  const used = new Set(code.flatMap((one) => [...namesIn(one)]));
  const imported = namesOfImports(source);
  const fresh: string[] = [];
  for (const theirs of scaffold.statements.filter((one) => api.isImportDeclaration(one))) {
    const wanted = namedIn(theirs).filter((name) => used.has(name) && !imported.has(name));
    if (wanted.length === 0) continue;
    const present = source.statements
      .filter((one) => api.isImportDeclaration(one))
      .find(
        (one) => moduleOf(one) === moduleOf(theirs) && namedIn(one).length > 0 && one !== place,
      );
    const all = [...(present === undefined ? [] : namedIn(present)), ...wanted];
    const line = toImport(all.toSorted(byName), moduleOf(theirs));
    if (present === undefined) fresh.push(line);
    else edit.replace(present, line);
  }
  if (fresh.length === 0) edit.remove(place);
  else edit.replace(place, fresh.join('\n'));
}

function toImport(names: readonly string[], module: string): string {
  const line = `import { ${names.join(', ')} } from '${module}';`;
  if (line.length <= 80) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${module}';`;
}

function byName(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

function moduleOf({ moduleSpecifier }: ts.ImportDeclaration): string {
  return (moduleSpecifier as ts.StringLiteral).text;
}

/** The names between the braces of an import. */
function namedIn({ importClause }: ts.ImportDeclaration): string[] {
  const api = typeScript();
  const bindings = importClause?.namedBindings;
  return bindings !== undefined && api.isNamedImports(bindings)
    ? bindings.elements.map((element) => element.getText())
    : [];
}

function namesOfImports(source: ts.SourceFile): Set<string> {
  const api = typeScript();
  return new Set(source.statements.filter((one) => api.isImportDeclaration(one)).flatMap(namedIn));
}

function declaredIn(source: ts.SourceFile, { scope }: ExpressApp): Set<string> {
  const api = typeScript();
  const all = [...source.statements, ...scope];
  return new Set(all.filter((one) => api.isVariableStatement(one)).map(nameOf));
}

function nameOf(statement: ts.VariableStatement): string {
  return statement.declarationList.declarations[0]!.name.getText();
}

function referencesTo(node: ts.Node, name: string): ts.Node[] {
  const api = typeScript();
  const found: ts.Node[] = [];
  const visit = (inner: ts.Node): void => {
    if (api.isIdentifier(inner) && inner.text === name) found.push(inner);
    api.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** The comment that belongs to a statement, with a line end. */
function commentOf(statement: ts.Statement): string {
  const { text } = statement.getSourceFile();
  const comment = typeScript().getLeadingCommentRanges(text, statement.getFullStart())?.at(-1);
  return comment === undefined ? '' : `${text.slice(comment.pos, comment.end)}\n`;
}

/** The root module under the name that the middleware used. */
function withBootstrap(render: string, options: readonly ts.PropertyAssignment[]): string {
  const engine = options.find(({ name }) => name.getText() === 'engine')!;
  const module = /bootstrap: (\w+)/.exec(engine.getText())?.[1];
  return module === undefined ? render : render.replace('bootstrap,', `bootstrap: ${module},`);
}
