import type { Tree } from '@angular-devkit/schematics';
import { dirname, join } from 'node:path/posix';
import type ts from 'typescript';
import { parseSource, typeScript } from './typescript.ts';

/**
 * The paths below which pages cannot be prerendered without being told their parameters: routes with
 * parameters, and `<path>/**` for routes whose children are not to be found in the sources.
 *
 * @param file - The file with the application's providers or its root module.
 */
export function parameterizedPaths(tree: Tree, files: readonly string[]): string[] {
  const api = typeScript();
  const found = new Set<string>();
  for (const file of files) {
    const source = sourceOf(tree, file);
    if (source === undefined) continue;
    const visit = (node: ts.Node): void => {
      if (
        api.isCallExpression(node) &&
        /^(provideRouter|RouterModule\.forRoot)$/.test(node.expression.getText())
      ) {
        const [routes] = node.arguments;
        const isKnown = routes !== undefined && collect(tree, file, routes, '', found, new Set());
        if (!isKnown) found.add('**');
      }
      api.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].sort();
}

/** Adds the paths of an expression that is a list of routes. */
function collect(
  tree: Tree,
  file: string,
  routes: ts.Expression,
  prefix: string,
  found: Set<string>,
  seen: Set<string>,
): boolean {
  const api = typeScript();
  if (
    api.isAsExpression(routes) ||
    api.isSatisfiesExpression(routes) ||
    api.isParenthesizedExpression(routes)
  ) {
    return collect(tree, file, routes.expression, prefix, found, seen);
  }
  if (api.isIdentifier(routes)) {
    const declared = declarationOf(tree, file, routes.text);
    const key = `${prefix} ${declared?.file} ${routes.text}`;
    if (declared === undefined || seen.has(key)) return false;
    return collect(tree, declared.file, declared.value, prefix, found, new Set(seen).add(key));
  }
  if (!api.isArrayLiteralExpression(routes)) return false;
  let isWhole = true;
  for (const route of routes.elements) {
    if (api.isSpreadElement(route)) {
      isWhole = collect(tree, file, route.expression, prefix, found, seen) && isWhole;
    } else if (api.isObjectLiteralExpression(route)) {
      collectRoute(tree, file, route, prefix, found, seen);
    } else {
      isWhole = false;
    }
  }
  return isWhole;
}

function collectRoute(
  tree: Tree,
  file: string,
  route: ts.ObjectLiteralExpression,
  prefix: string,
  found: Set<string>,
  seen: Set<string>,
): void {
  const api = typeScript();
  const valueOf = (name: string): ts.Expression | undefined => {
    const property = route.properties.find((one) => one.name?.getText() === name);
    return property && api.isPropertyAssignment(property) ? property.initializer : undefined;
  };
  const own = valueOf('path');
  const path = join(prefix, own !== undefined && api.isStringLiteralLike(own) ? own.text : '');
  const full = path === '.' ? '' : path;
  if (full.endsWith('**')) return;
  const children = valueOf('children');
  const load = valueOf('loadChildren');
  const isPage = ['component', 'loadComponent'].some((name) => valueOf(name) !== undefined);
  if (full.includes(':') && (isPage || (children === undefined && load === undefined))) {
    if (valueOf('redirectTo') === undefined) found.add(full);
  }
  const isKnown =
    (children === undefined || collect(tree, file, children, full, found, seen)) &&
    (load === undefined || collectLoaded(tree, file, load, full, found, seen));
  if (!isKnown) found.add(join(full, '**'));
}

/** `() => import('./admin.routes').then((m) => m.routes)`, or a default export. */
function collectLoaded(
  tree: Tree,
  file: string,
  load: ts.Expression,
  prefix: string,
  found: Set<string>,
  seen: Set<string>,
): boolean {
  const api = typeScript();
  const specifier = /\bimport\(\s*['"`](\.[^'"`]+)['"`]\s*\)/.exec(load.getText())?.[1];
  const path = specifier && pathOf(tree, file, specifier);
  if (!path) return false;
  const name =
    /\.then\(\s*\(?\s*(?:(\w+)\s*\)?\s*=>\s*\1\.(\w+)|\{\s*(\w+)\s*\}\s*\)\s*=>\s*\3)\s*,?\s*\)/.exec(
      load.getText(),
    );
  const exported = name?.[2] ?? name?.[3] ?? 'default';
  const declared = declarationOf(tree, path, exported);
  if (declared !== undefined && api.isExpression(declared.value)) {
    return collect(tree, declared.file, declared.value, prefix, found, seen);
  }
  return false;
}

/** The value of a variable: of the file, or of one that it imports it from. */
function declarationOf(
  tree: Tree,
  file: string,
  name: string,
): { file: string; value: ts.Expression } | undefined {
  const api = typeScript();
  const source = sourceOf(tree, file);
  for (const statement of source?.statements ?? []) {
    if (api.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (declaration.name.getText() === name && declaration.initializer !== undefined) {
          return { file, value: declaration.initializer };
        }
      }
    }
    if (name === 'default' && api.isExportAssignment(statement)) {
      return { file, value: statement.expression };
    }
    if (!api.isImportDeclaration(statement)) continue;
    const { importClause, moduleSpecifier } = statement;
    const bindings = importClause?.namedBindings;
    const element =
      bindings !== undefined && api.isNamedImports(bindings)
        ? bindings.elements.find((one) => one.name.text === name)
        : undefined;
    const isDefault = importClause?.name?.text === name;
    const path = pathOf(tree, file, (moduleSpecifier as ts.StringLiteral).text);
    if (path !== undefined && (element !== undefined || isDefault)) {
      return declarationOf(
        tree,
        path,
        isDefault ? 'default' : (element!.propertyName ?? element!.name).text,
      );
    }
  }
  return undefined;
}

/** The file that a relative import is of. */
export function pathOf(tree: Tree, file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = join(dirname(file), specifier);
  return [`${path}.ts`, `${path}/index.ts`, path].find((one) => tree.exists(one));
}

export function sourceOf(tree: Tree, file: string): ts.SourceFile | undefined {
  return tree.exists(file) ? parseSource(tree.readText(file)) : undefined;
}
