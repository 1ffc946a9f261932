import type { Tree } from '@angular-devkit/schematics';
import { dirname, join, relative } from 'node:path/posix';
import type ts from 'typescript';
import type { Project } from './project.ts';
import { parameterizedPaths, pathOf, sourceOf } from './route-paths.ts';
import { shapeOf } from './shape.ts';
import { TextEdit } from './text-edit.ts';
import { typeScript } from './typescript.ts';

/**
 * Gives an application the server routes that the app engine's builds render by, where it has none of
 * its own: pages without parameters are prerendered, others are rendered when they are asked for.
 *
 * @returns What was done, a phrase each.
 */
export function addServerRoutes(tree: Tree, { build, sourceRoot }: Project): string[] {
  const { server } = build;
  const main = typeof server === 'string' ? server : join(sourceRoot, 'main.server.ts');
  const files = filesBelow(tree, main);
  const present = files.find((file) => isStockRoutes(tree.readText(file)));
  if (present !== undefined) {
    const dynamic = parameterizedPaths(tree, files);
    if (dynamic.length === 0) return [];
    tree.overwrite(present, serverRoutesText(dynamic));
    return [`made ${present} render ${dynamic.join(', ')} on request`];
  }
  const config = files.find((file) => providers(tree, file) !== undefined);
  const hasRoutes = files.some((file) => HAS_ROUTES.test(tree.readText(file)));
  if (config === undefined || hasRoutes) return [];
  const path = join(dirname(config), 'app.routes.server.ts');
  const done = [`made ${config} use ${path}`];
  if (!tree.exists(path)) {
    const dynamic = parameterizedPaths(tree, files);
    tree.create(path, serverRoutesText(dynamic));
    const onRequest =
      dynamic.length === 0 ? '' : `, by which ${dynamic.join(', ')} are rendered on request`;
    done.unshift(`wrote ${path}${onRequest}`);
  }
  tree.overwrite(config, withServerRoutes(tree, config, path));
  return done;
}

const HAS_ROUTES = /\b(withRoutes|provideServerRoutesConfig|provideServerRouting)\(/;

/** Whether a file has the server routes that Angular's schematic writes: all is prerendered. */
function isStockRoutes(text: string): boolean {
  return text.includes('ServerRoute') && shapeOf(text) === shapeOf(serverRoutesText([]));
}

function serverRoutesText(dynamic: readonly string[]): string {
  const route = (path: string, mode: string): string =>
    `  {\n    path: '${path}',\n    renderMode: RenderMode.${mode},\n  },\n`;
  const rest = dynamic.includes('**') ? [] : [route('**', 'Prerender')];
  return `import { RenderMode, ServerRoute } from '@angular/ssr';

export const serverRoutes: ServerRoute[] = [
${[...dynamic.map((path) => route(path, 'Server')), ...rest].join('')}];
`;
}

/** A file and those that it imports, its own first. */
function filesBelow(tree: Tree, main: string): string[] {
  const api = typeScript();
  const found = new Set([main]);
  for (const file of found) {
    for (const statement of sourceOf(tree, file)?.statements ?? []) {
      const isFrom = api.isImportDeclaration(statement) || api.isExportDeclaration(statement);
      const specifier = isFrom ? statement.moduleSpecifier : undefined;
      if (specifier === undefined || !api.isStringLiteral(specifier)) continue;
      const path = pathOf(tree, file, specifier.text);
      if (path !== undefined) found.add(path);
    }
  }
  return [...found].filter((file) => tree.exists(file));
}

interface Providers {
  /** A call that becomes one with server routes. */
  readonly call?: ts.CallExpression;
  /** A module of the server's, which gets the provider. */
  readonly module?: ts.ObjectLiteralExpression;
}

/** What provides server rendering in a file. */
function providers(tree: Tree, file: string): Providers | undefined {
  const api = typeScript();
  const find = (node: ts.Node): Providers | undefined => {
    if (api.isCallExpression(node) && node.expression.getText() === 'provideServerRendering') {
      return { call: node };
    }
    const isModule =
      api.isDecorator(node) &&
      api.isCallExpression(node.expression) &&
      node.expression.expression.getText() === 'NgModule' &&
      /\bServerModule\b/.test(node.getText());
    if (isModule) {
      const [module] = (node.expression as ts.CallExpression).arguments;
      if (module !== undefined && api.isObjectLiteralExpression(module)) {
        const call = api.forEachChild(module, find);
        return call ?? { module };
      }
    }
    return api.forEachChild(node, find);
  };
  const source = sourceOf(tree, file);
  return source && find(source);
}

function withServerRoutes(tree: Tree, file: string, routes: string): string {
  const api = typeScript();
  const { call, module } = providers(tree, file)!;
  const source = (call ?? module)!.getSourceFile();
  const edit = new TextEdit(source);
  const provider = 'provideServerRendering(withRoutes(serverRoutes))';
  if (call !== undefined) {
    const rest = call.arguments.map((one) => `, ${one.getText()}`).join('');
    edit.replace(call, `provideServerRendering(withRoutes(serverRoutes)${rest})`);
  } else {
    provideIn(module!, provider, edit);
  }
  for (const statement of source.statements) {
    const isOld =
      api.isImportDeclaration(statement) &&
      /^@angular\/(platform-server|ssr)$/.test(
        (statement.moduleSpecifier as ts.StringLiteral).text,
      );
    if (isOld) edit.removeImports(statement, new Set(['provideServerRendering', 'ServerModule']));
  }
  const between = relative(dirname(file), routes).replace(/\.ts$/, '');
  edit.addImport(`import { provideServerRendering, withRoutes } from '@angular/ssr';`);
  edit.addImport(
    `import { serverRoutes } from '${between.startsWith('.') ? between : `./${between}`}';`,
  );
  return edit.apply();
}

/** Has a module provide server rendering itself: ServerModule's providers are among the provider's. */
function provideIn(module: ts.ObjectLiteralExpression, provider: string, edit: TextEdit): void {
  const api = typeScript();
  const listOf = (name: string): ts.ArrayLiteralExpression | undefined => {
    const property = module.properties.find((one) => one.name?.getText() === name);
    const value = property && api.isPropertyAssignment(property) ? property.initializer : undefined;
    return value && api.isArrayLiteralExpression(value) ? value : undefined;
  };
  const textsOf = (list: ts.ArrayLiteralExpression | undefined): string[] =>
    list?.elements.map((one) => one.getText()) ?? [];
  const imports = listOf('imports');
  const present = listOf('providers');
  const modules = textsOf(imports).filter((one) => one !== 'ServerModule');
  const all = `[${[...textsOf(present), provider].join(', ')}]`;
  if (present !== undefined) edit.replace(present, all);
  if (imports === undefined) return;
  const added = present === undefined ? `,\nproviders: ${all}` : '';
  edit.replace(imports, `[${modules.join(', ')}]${added}`);
}
