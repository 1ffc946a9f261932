import type ts from 'typescript';
import { scaffoldTexts } from '../scaffold.ts';
import { shapeOfNode } from '../shape.ts';
import { parseSource, typeScript } from '../typescript.ts';

/** The two statements of Angular's server.ts that the pages' middleware replaces. */
export interface StockStatements {
  readonly files: ReadonlySet<string>;
  readonly render: ReadonlySet<string>;
}

let found: StockStatements | undefined;

/** Their shapes in every version, with the Express app under the name that {@link shapeIn} gives it. */
export function stockStatements(): StockStatements {
  if (found !== undefined) return found;
  const files = new Set<string>();
  const render = new Set<string>();
  for (const text of scaffoldTexts()) {
    const app = findApp(parseSource(text))!;
    for (const statement of app.scope) {
      if (!isOn(statement, app.name)) continue;
      if (/\bexpress\.static\(/.test(statement.getText())) files.add(shapeIn(statement, app.name));
      if (/\.(handle|render)\(/.test(statement.getText())) render.add(shapeIn(statement, app.name));
    }
  }
  return (found = { files, render });
}

/** The Express app of a server.ts. */
export interface ExpressApp {
  readonly name: string;
  readonly declaration: ts.VariableStatement;
  /** The statements around its declaration: those of the file, or of a function. */
  readonly scope: readonly ts.Statement[];
}

/** Finds `const app = express();` at the top of a file or in one of its functions. */
export function findApp(source: ts.SourceFile): ExpressApp | undefined {
  const api = typeScript();
  const bodies = source.statements.flatMap((statement) =>
    api.isFunctionDeclaration(statement) && statement.body ? [statement.body.statements] : [],
  );
  for (const scope of [source.statements, ...bodies]) {
    for (const declaration of scope) {
      if (!api.isVariableStatement(declaration)) continue;
      for (const { name, initializer } of declaration.declarationList.declarations) {
        const isApp =
          initializer !== undefined &&
          api.isCallExpression(initializer) &&
          initializer.expression.getText() === 'express';
        if (isApp && api.isIdentifier(name)) return { name: name.text, declaration, scope };
      }
    }
  }
  return undefined;
}

/** Whether a statement calls `use`, `get` or `all` of the app. */
export function isOn(statement: ts.Statement, app: string): boolean {
  const api = typeScript();
  if (!api.isExpressionStatement(statement) || !api.isCallExpression(statement.expression)) {
    return false;
  }
  const { expression } = statement.expression;
  return (
    api.isPropertyAccessExpression(expression) &&
    expression.expression.getText() === app &&
    ['use', 'get', 'all'].includes(expression.name.text)
  );
}

/** The shape of a statement, with any name of the app. */
export function shapeIn(statement: ts.Statement, app: string): string {
  const prefix = `${app}.`;
  const call = (statement as ts.ExpressionStatement).expression as ts.CallExpression;
  const [callee, ...parts] = [call.expression, ...call.arguments].map(shapeOfNode);
  return [`app.${callee!.slice(prefix.length)}`, ...parts].join('\n');
}
