import type ts from 'typescript';
import { engineIn } from '../engine-choice.ts';
import type { EngineName } from '../engine-name.ts';
import { middlewareLines } from '../middleware-advice.ts';
import { hasErrorHandlerAfter } from './error-handlers.ts';
import { addShutdown, findListening, type Listening } from './listen-call.ts';
import { type ExpressApp, findApp, isOn, shapeIn, stockStatements } from './stock-statements.ts';
import { TextEdit } from '../text-edit.ts';
import { parseSource, typeScript } from '../typescript.ts';
import { namesIn, unusedAfter } from './unused-declarations.ts';

/** A server.ts with the pages' middleware added. */
export interface MiddlewareEdit {
  readonly text: string;
  /** The added lines. */
  readonly added: readonly string[];
  /** The removed code. */
  readonly removed: readonly string[];
  /** The steps that are left to the user, a sentence each. */
  readonly left: readonly string[];
}

const FORWARD_ERRORS = ['// Failed renders go to your error handlers.\n  forwardErrors: true'];

/** Why there is no edit. */
export type NoEdit = 'no Express app' | 'no place';

/**
 * Adds `ssrMiddleware` to an Express server: in place of Angular's own handler where it is as the
 * Angular CLI wrote it, and before it where it is not. All else stays unchanged, except that unused
 * declarations are removed.
 *
 * @param options - The further options of the middleware, as source, where the app's own engine has none.
 */
export function addMiddleware(text: string, options: readonly string[]): MiddlewareEdit | NoEdit {
  const source = parseSource(text);
  const app = findApp(source);
  if (app === undefined) return 'no Express app';
  const handlers = findHandlers(source, app);
  const { render, files, engine } = handlers;
  if (render === undefined || engine === undefined) return 'no place';

  const edit = new TextEdit(source);
  const taken = [
    ...(handlers.isStockRender ? [render] : []),
    ...(files?.isStock ? [files.statement] : []),
  ];
  const carried = engineOptions(source);
  const bootstrap = bootstrapOf(render);
  const kept = new Set([bootstrap, ...carried.flatMap((one) => [...namesIn(one)])]);
  const unused = unusedAfter(source, taken, kept);
  const engineDeclaration = unused.statements.find((one) => isEngine(one));

  const name = freeName(source);
  const listening = findListening(source, app);
  const lines = middlewareLines(engine, {
    app: app.name,
    name,
    bootstrap,
    options: [
      ...(carried.length > 0 ? carried.map((one) => one.getText()) : options),
      ...(hasErrorHandlerAfter(source, app, render) ? FORWARD_ERRORS : []),
    ],
    imports: listening.call === undefined ? [] : ['shutDownOnSignals'],
  });
  edit.addImport(lines.importLine);
  const anchor = app.scope.find((one) => isEngine(one)) ?? app.declaration;
  if (engineDeclaration === undefined) edit.insertAfter(anchor, lines.creation);
  else edit.replace(engineDeclaration, lines.creation);
  if (handlers.isStockRender) edit.replace(render, lines.use);
  else edit.insertBefore(render, lines.use);
  if (files?.isStock) edit.remove(files.statement);
  const shutdown = listening.call === undefined ? [] : [addShutdown(edit, listening.call, name)];
  for (const one of unused.statements) if (one !== engineDeclaration) edit.remove(one);
  for (const [declaration, names] of unused.imports) edit.removeImports(declaration, names);

  const removed = [...taken, ...unused.statements].map((one) => withoutIndent(one));
  return {
    text: edit.apply(),
    added: [lines.importLine, lines.creation, lines.use, ...shutdown],
    removed,
    left: [...stepsLeft(source, handlers), ...shutdownLeft(listening, name)],
  };
}

interface Handlers {
  readonly engine: EngineName | undefined;
  /** The statement in which Angular renders. */
  readonly render: ts.Statement | undefined;
  readonly isStockRender: boolean;
  /** The statement that serves the built files. */
  readonly files: { readonly statement: ts.Statement; readonly isStock: boolean } | undefined;
}

function findHandlers(source: ts.SourceFile, app: ExpressApp): Handlers {
  const stock = stockStatements();
  const mine = app.scope.filter((statement) => isOn(statement, app.name));
  const engines = engineNames(source);
  const isStock = (statement: ts.Statement, shapes: ReadonlySet<string>): boolean =>
    shapes.has(shapeIn(statement, app.name));
  const render =
    mine.find((statement) => isStock(statement, stock.render)) ??
    mine.find((statement) => rendersWith(statement, engines));
  const files =
    mine.find((statement) => isStock(statement, stock.files)) ??
    mine.find((statement) => /\bexpress\.static\(\s*\w*(browser|dist)/i.test(statement.getText()));
  return {
    engine: engineIn(source.text),
    render,
    isStockRender: render !== undefined && isStock(render, stock.render),
    files: files && { statement: files, isStock: isStock(files, stock.files) },
  };
}

/** The variables that hold one of Angular's engines. */
export function engineNames(source: ts.SourceFile): Set<string> {
  const api = typeScript();
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (api.isVariableDeclaration(node) && isNewEngine(node.initializer)) {
      names.add(node.name.getText());
    }
    api.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isNewEngine(node: ts.Expression | undefined): boolean {
  const api = typeScript();
  return (
    node !== undefined &&
    api.isNewExpression(node) &&
    /^(CommonEngine|Angular(Node)?AppEngine)$/.test(node.expression.getText())
  );
}

/** Whether a statement declares one of Angular's engines. */
export function isEngine(statement: ts.Statement): boolean {
  const api = typeScript();
  return (
    api.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(({ initializer }) => isNewEngine(initializer))
  );
}

/** Whether code renders with one of the engines. */
export function rendersWith(node: ts.Node, engines: ReadonlySet<string>): boolean {
  const api = typeScript();
  const isCall =
    api.isPropertyAccessExpression(node) &&
    engines.has(node.expression.getText()) &&
    ['handle', 'render'].includes(node.name.text);
  return (
    isCall || (api.forEachChild(node, (child) => rendersWith(child, engines) || undefined) ?? false)
  );
}

/** Options of the app's own engine that the middleware has under the same names. */
function engineOptions(source: ts.SourceFile): ts.ObjectLiteralElementLike[] {
  const api = typeScript();
  const find = (node: ts.Node): ts.NewExpression | undefined =>
    api.isNewExpression(node) && isNewEngine(node) ? node : api.forEachChild(node, find);
  const argument = find(source)?.arguments?.[0];
  if (argument === undefined || !api.isObjectLiteralExpression(argument)) return [];
  return argument.properties.filter(({ name }) =>
    ['allowedHosts', 'trustProxyHeaders'].includes(name?.getText() ?? ''),
  );
}

/** A statement's code without its indentation. */
function withoutIndent(statement: ts.Statement): string {
  const { character } = statement
    .getSourceFile()
    .getLineAndCharacterOfPosition(statement.getStart());
  return statement.getText().replace(new RegExp(`^[ \\t]{${character}}`, 'gm'), '');
}

/** The name that a CommonEngine handler bootstraps: `bootstrap`, or that of a module. */
function bootstrapOf(node: ts.Node): string {
  const api = typeScript();
  const find = (inner: ts.Node): string | undefined =>
    api.isPropertyAssignment(inner) && inner.name.getText() === 'bootstrap'
      ? inner.initializer.getText()
      : api.forEachChild(inner, find);
  return find(node) ?? 'bootstrap';
}

function freeName(source: ts.SourceFile): string {
  return /\bssr\b/.test(source.text.replace(/@angular\/ssr/g, '')) ? 'ssrPages' : 'ssr';
}

function shutdownLeft({ call, isCutOff }: Listening, name: string): string[] {
  if (call !== undefined || !isCutOff) return [];
  return [
    `Call shutDownOnSignals(server, ${name}) of @ng-ssr/express with the server that listen() returns: without it, SIGTERM cuts off open requests.`,
  ];
}

function stepsLeft(source: ts.SourceFile, { render, isStockRender, files }: Handlers): string[] {
  const lineOf = (node: ts.Node): number =>
    source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const first = (node: ts.Node): string => node.getText().split(/\r?\n/)[0]!;
  return [
    ...(isStockRender
      ? []
      : [
          `Remove the handler that was in line ${lineOf(render!)}, ${first(render!)}: page requests no longer reach it. Move the options of its engine to ssrMiddleware and its engine.`,
        ]),
    ...(files === undefined || files.isStock
      ? []
      : [
          `Remove the statement that was in line ${lineOf(files.statement)}, ${first(files.statement)}, unless you need it: the middleware serves the built files.`,
        ]),
  ];
}
