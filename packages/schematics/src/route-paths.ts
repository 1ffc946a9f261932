import type { Tree } from '@angular-devkit/schematics';
import { join } from 'node:path/posix';
import type ts from 'typescript';
import { declarationOf, pathOf, sourceOf } from './declarations.ts';
import { moduleRoutes } from './module-routes.ts';
import { typeScript } from './typescript.ts';

/**
 * The paths whose pages cannot be prerendered without values for their parameters: routes with
 * parameters, and `<path>/**` for routes whose children cannot be found in the sources.
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
        /^(provideRouter|RouterModule\.for(Root|Child))$/.test(node.expression.getText())
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
  routes: ts.Node,
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
  // `ng build` asks for the parameters of each route, also of one that only has children or redirects.
  if (full.includes(':')) found.add(full);
  const isKnown =
    (children === undefined || collect(tree, file, children, full, found, seen)) &&
    (load === undefined || collectLoaded(tree, file, load, full, found, seen));
  if (!isKnown) found.add(join(full, '**'));
}

/** `() => import('./admin.routes').then((m) => m.routes)`, a default export, or a module. */
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
  if (declared === undefined) return false;
  const lists = api.isClassDeclaration(declared.value) ? moduleRoutes(tree, declared) : [declared];
  const known = lists.map((list) => collect(tree, list.file, list.value, prefix, found, seen));
  return known.length > 0 && known.every(Boolean);
}
