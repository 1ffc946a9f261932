import type ts from 'typescript';
import { typeScript } from '../typescript.ts';
import { type ExpressApp, isOn } from './stock-statements.ts';

/** Whether errors of a statement on the app reach later error-handling middleware of the user. */
export function hasErrorHandlerAfter(
  source: ts.SourceFile,
  { name, scope }: ExpressApp,
  statement: ts.Statement,
): boolean {
  return scope
    .slice(scope.indexOf(statement) + 1)
    .filter((one) => isOn(one, name))
    .some((one) => argumentsOf(one).some((argument) => isErrorHandler(source, argument)));
}

function argumentsOf(statement: ts.Statement): readonly ts.Expression[] {
  return ((statement as ts.ExpressionStatement).expression as ts.CallExpression).arguments;
}

/** Express recognises error-handling middleware by its four parameters. */
function isErrorHandler(source: ts.SourceFile, node: ts.Node): boolean {
  const api = typeScript();
  if (
    api.isArrowFunction(node) ||
    api.isFunctionExpression(node) ||
    api.isFunctionDeclaration(node)
  ) {
    return node.parameters.length === 4;
  }
  const declared = api.isIdentifier(node) ? declarationOf(source, node.text) : undefined;
  // Of code in another file only the name is known: `Sentry.expressErrorHandler()`.
  return declared === undefined ? /error/i.test(nameOf(node)) : isErrorHandler(source, declared);
}

function nameOf(node: ts.Node): string {
  const api = typeScript();
  if (api.isCallExpression(node)) return node.expression.getText();
  return api.isIdentifier(node) ? node.text : '';
}

/** The function of a name; undefined where it is in another file. */
function declarationOf(source: ts.SourceFile, name: string): ts.Node | undefined {
  const api = typeScript();
  const find = (node: ts.Node): ts.Node | undefined => {
    if (api.isFunctionDeclaration(node) && node.name?.text === name) return node;
    if (api.isVariableDeclaration(node) && node.name.getText() === name) return node.initializer;
    return api.forEachChild(node, find);
  };
  return find(source);
}
