import type ts from 'typescript';
import { parseSource, typeScript } from './typescript.ts';

/**
 * A file's content apart from formatting: its syntax tree without comments, parentheses, quotes, the
 * order of imports, braces around one statement, and the parts that differ between projects: the
 * folders, and the name of a root module.
 */
export function shapeOf(text: string): string {
  return shapeOfNode(parseSource(text));
}

/** As {@link shapeOf}, for a part of a file. */
export function shapeOfNode(node: ts.Node): string {
  const api = typeScript();
  if (api.isParenthesizedExpression(node)) return shapeOfNode(node.expression);
  if (api.isSourceFile(node)) {
    const imports = node.statements.filter((one) => api.isImportDeclaration(one));
    const others = node.statements.filter((one) => !api.isImportDeclaration(one));
    return [...imports.map(shapeOfImport).sort(), ...others.map(shapeOfNode)].join('\n');
  }
  if (api.isImportDeclaration(node)) return shapeOfImport(node);
  if (api.isEmptyStatement(node)) return '';
  if (api.isBlock(node) && api.isIfStatement(node.parent) && node.statements.length === 1) {
    return shapeOfNode(node.statements[0]!);
  }
  // `process.env['PORT']`, which some lint rules change to `process.env.PORT`.
  if (api.isElementAccessExpression(node) && api.isStringLiteral(node.argumentExpression)) {
    return `${shapeOfNode(node.expression)}.${node.argumentExpression.text}`;
  }
  if (api.isPropertyAccessExpression(node) && node.questionDotToken === undefined) {
    return `${shapeOfNode(node.expression)}.${node.name.text}`;
  }
  if (isBootstrap(node)) return 'bootstrap';
  if (api.isShorthandPropertyAssignment(node)) return shapeOfName(node.name.text);
  if (api.isIdentifier(node)) return shapeOfName(node.text);
  if (api.isStringLiteralLike(node)) return JSON.stringify(shapeOfString(node.text));
  return shapeOfOther(node);
}

function shapeOfOther(node: ts.Node): string {
  const api = typeScript();
  const { text, operator, keywordToken } = node as {
    text?: unknown;
    operator?: ts.SyntaxKind;
    keywordToken?: ts.SyntaxKind;
  } & ts.Node;
  const own = [
    typeof text === 'string' ? JSON.stringify(shapeOfString(text)) : '',
    operator === undefined ? '' : api.SyntaxKind[operator],
    keywordToken === undefined ? '' : api.SyntaxKind[keywordToken],
    api.isVariableDeclarationList(node) ? String(node.flags & api.NodeFlags.BlockScoped) : '',
  ];
  const parts: string[] = [];
  api.forEachChild(node, (child) => void parts.push(shapeOfNode(child)));
  return `${api.SyntaxKind[node.kind]}${own.join('')}(${parts.filter(Boolean).join(',')})`;
}

function shapeOfImport(node: ts.ImportDeclaration): string {
  const api = typeScript();
  const from = shapeOfString((node.moduleSpecifier as ts.StringLiteral).text);
  // A default export, or a module by its name: the server bootstraps either.
  if (from === MAIN) return `import ${MAIN}`;
  const { importClause } = node;
  const bindings = importClause?.namedBindings;
  const names =
    bindings !== undefined && api.isNamedImports(bindings)
      ? bindings.elements.map((element) => element.getText()).sort()
      : [bindings?.getText() ?? ''];
  return `import ${from} ${importClause?.name?.text ?? ''} ${names.join(' ')}`;
}

const MAIN = './main.server';

function shapeOfName(name: string): string {
  return name === 'AppServerModule' ? 'bootstrap' : name;
}

function shapeOfString(text: string): string {
  if (text === '@angular/ssr/node') return '@angular/ssr';
  if (/^(\.{1,2}\/)+(src\/)?main\.server(\.[jt]s)?$/.test(text)) return MAIN;
  // Every path, as Express 5 writes it.
  if (/^\/?\{?\*\w+\}?$/.test(text)) return '**';
  return text.replace(/^(\/?)(?:\.\.\/)[^.]*$/, '$1../browser');
}

/** `bootstrap: AppServerModule`, which a standalone application writes `bootstrap`. */
function isBootstrap(node: ts.Node): boolean {
  const api = typeScript();
  return (
    api.isPropertyAssignment(node) &&
    node.name.getText() === 'bootstrap' &&
    api.isIdentifier(node.initializer)
  );
}
