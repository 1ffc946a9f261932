import type ts from 'typescript';
import type { ExpressApp } from './stock-statements.ts';
import type { TextEdit } from '../text-edit.ts';
import { callsIn, typeScript } from '../typescript.ts';

/** The variable of a server whose call of `listen` takes more than a line. */
const VARIABLE = 'httpServer';

/** How a server ends that listens on an Express app. */
export interface Listening {
  /** The one call of the app's `listen` whose result is unused, where the middleware is in scope; undefined without one. */
  readonly call: ts.CallExpression | undefined;
  /** Whether the file listens at all, and does not handle signals yet. */
  readonly isCutOff: boolean;
}

/** Finds where a server listens. */
export function findListening(source: ts.SourceFile, app: ExpressApp): Listening {
  const calls = callsIn(source).filter(({ expression }) => /\.listen$/.test(expression.getText()));
  const isCutOff = calls.length > 0 && !/\bshutDownOnSignals\b|['"]SIGTERM['"]/.test(source.text);
  const [call] = calls;
  const isSafe =
    isCutOff &&
    calls.length === 1 &&
    app.scope === source.statements &&
    call!.expression.getText() === `${app.name}.listen` &&
    call!.getStart() > app.declaration.end &&
    typeScript().isExpressionStatement(call!.parent);
  return { call: isSafe ? call : undefined, isCutOff };
}

/**
 * Passes the server of a call of `listen` to `shutDownOnSignals`, as Prettier formats it.
 *
 * @param middleware - The variable of the middleware.
 * @returns the line that is added, with a short form of the call.
 */
export function addShutdown(edit: TextEdit, call: ts.CallExpression, middleware: string): string {
  const statement = call.parent as ts.ExpressionStatement;
  const inLine = `shutDownOnSignals(${call.getText()}, ${middleware});`;
  const isLong = /\n/.test(inLine) || inLine.length > 76;
  const mayDeclare =
    'statements' in statement.parent && !statement.getSourceFile().text.includes(VARIABLE);
  if (!isLong || !mayDeclare) {
    edit.wrap(call, 'shutDownOnSignals(', `, ${middleware})`);
    return `shutDownOnSignals(${call.expression.getText()}(...), ${middleware});`;
  }
  const line = `shutDownOnSignals(${VARIABLE}, ${middleware});`;
  edit.wrap(call, `const ${VARIABLE} = `, '');
  edit.insertAfter(statement, line);
  return line;
}

/** What `addShutdown` has added. */
export interface Shutdown {
  readonly call: ts.CallExpression;
  /** The call of `listen`. */
  readonly listen: ts.CallExpression;
}

/** The one call of `shutDownOnSignals`, if it is as `addShutdown` writes it. */
export function findShutdown(
  source: ts.SourceFile,
  app: ExpressApp,
  middleware: string,
): Shutdown | undefined {
  const api = typeScript();
  const calls = callsIn(source);
  const [call, ...others] = calls.filter(
    ({ expression }) => expression.getText() === 'shutDownOnSignals',
  );
  if (call === undefined || others.length > 0 || !api.isExpressionStatement(call.parent)) {
    return undefined;
  }
  const [server, target, ...rest] = call.arguments;
  const listen = calls.find(
    (one) =>
      one.expression.getText() === `${app.name}.listen` &&
      (one === server || (isVariable(one.parent) && server?.getText() === VARIABLE)),
  );
  const uses = source.text.match(new RegExp(`\\b${VARIABLE}\\b`, 'g'))?.length ?? 0;
  const isAsAdded = target?.getText() === middleware && rest.length === 0 && uses <= 2;
  return isAsAdded && listen !== undefined ? { call, listen } : undefined;
}

function isVariable(node: ts.Node): node is ts.VariableDeclaration {
  return typeScript().isVariableDeclaration(node) && node.name.getText() === VARIABLE;
}

/** Removes what `addShutdown` has added. */
export function removeShutdown(edit: TextEdit, { call, listen }: Shutdown): void {
  if (!isVariable(listen.parent)) {
    edit.unwrap(call, listen);
    return;
  }
  edit.unwrap(listen.parent.parent, listen);
  edit.remove(call.parent as ts.ExpressionStatement);
}
