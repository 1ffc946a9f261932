import type { Tree } from '@angular-devkit/schematics';
import { dirname, join, relative } from 'node:path/posix';
import type ts from 'typescript';
import { filesBelow, sourceOf } from './declarations.ts';
import type { Project } from './project.ts';
import { parameterizedPaths } from './route-paths.ts';
import { shapeOf } from './shape.ts';
import { TextEdit } from './text-edit.ts';
import { typeScript } from './typescript.ts';

/**
 * Adds the server routes that builds for the app engine need to an application without any: pages
 * without parameters are prerendered, others are rendered on request.
 *
 * @returns The changes, a phrase each.
 */
export function addServerRoutes(tree: Tree, project: Project): string[] {
  const files = serverFilesOf(tree, project);
  const dynamic = parameterizedPaths(tree, files);
  const stock = stockRoutesIn(tree, files);
  if (stock !== undefined) return renderOnRequest(tree, stock, dynamic);
  const config = files.find((file) => providers(tree, file) !== undefined);
  const hasRoutes = files.some((file) => HAS_ROUTES.test(tree.readText(file)));
  if (config === undefined || hasRoutes) return [];
  const path = join(dirname(config), 'app.routes.server.ts');
  const done = [`made ${config} use ${path}`];
  if (!tree.exists(path)) {
    tree.create(path, serverRoutesText(dynamic));
    const onRequest =
      dynamic.length === 0 ? '' : `, which renders ${dynamic.join(', ')} on request`;
    done.unshift(`wrote ${path}${onRequest}`);
  }
  tree.overwrite(config, withServerRoutes(tree, config, path));
  return done;
}

/**
 * The same for an application of the app engine with the server routes of Angular's schematic: these
 * prerender all pages, so any page with parameters makes the build fail.
 */
export function completeServerRoutes(tree: Tree, project: Project): string[] {
  const files = serverFilesOf(tree, project);
  const stock = stockRoutesIn(tree, files);
  if (stock === undefined) return [];
  // Routes that could not be read may have no parameters, and are prerendered as before.
  const dynamic = parameterizedPaths(tree, files).filter((path) => path.includes(':'));
  return renderOnRequest(tree, stock, dynamic);
}

/** The file with the server routes, where these prerender every page that they do not name. */
export function prerenderingRoutes(tree: Tree, project: Project): string | undefined {
  return serverFilesOf(tree, project).find((file) => PRERENDERS_REST.test(tree.readText(file)));
}

const PRERENDERS_REST = /\bpath:\s*(['"`])\*\*\1,\s*renderMode:\s*RenderMode\.Prerender\b/;

function renderOnRequest(tree: Tree, file: string, dynamic: readonly string[]): string[] {
  if (dynamic.length === 0) return [];
  tree.overwrite(file, serverRoutesText(dynamic));
  return [`made ${file} render ${dynamic.join(', ')} on request`];
}

function serverFilesOf(tree: Tree, { build, sourceRoot }: Project): string[] {
  const { server } = build;
  return filesBelow(tree, typeof server === 'string' ? server : join(sourceRoot, 'main.server.ts'));
}

/** The file with the server routes of Angular's schematic, which prerender all pages. */
function stockRoutesIn(tree: Tree, files: readonly string[]): string | undefined {
  return files.find((file) => isStockRoutes(tree.readText(file)));
}

const HAS_ROUTES = /\b(withRoutes|provideServerRoutesConfig|provideServerRouting)\(/;

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

interface Providers {
  /** A call that gets the server routes. */
  readonly call?: ts.CallExpression;
  /** A server module that gets the provider. */
  readonly module?: ts.ObjectLiteralExpression;
}

/** The code in a file that provides server rendering. */
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

/** Adds the provider of server rendering to a module; it includes ServerModule's providers. */
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
