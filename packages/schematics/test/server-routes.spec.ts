import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, test } from 'vitest';
import { starts } from './starts.ts';
import { newApplication, runnerOf } from './workspace.ts';

const ROUTES = `import { Routes } from '@angular/router';
import { Page } from './page';
import { shopRoutes } from './shop/shop.routes';

export const routes: Routes = [
  { path: '', component: Page },
  { path: 'about', component: Page },
  { path: 'item/:id', component: Page },
  { path: 'old/:id', redirectTo: 'item/:id' },
  { path: 'user/:name', component: Page, children: [{ path: 'orders', component: Page }] },
  { path: 'team/:team', children: [{ path: 'members', component: Page }] },
  { path: 'shop', children: shopRoutes },
  { path: 'blog', loadChildren: () => import('./blog').then((m) => m.blogRoutes) },
  { path: 'help', loadChildren: () => import('./help') },
  { path: 'admin', loadChildren: () => import('@acme/admin').then(({ routes }) => routes) },
  { path: '**', component: Page },
];
`;
const FILES: Readonly<Record<string, string>> = {
  '/src/app/app.routes.ts': ROUTES,
  '/src/app/shop/shop.routes.ts': `import { Page } from '../page';
export const shopRoutes = [
  { path: 'cart', component: Page },
  { path: ':category/:page', component: Page },
];
`,
  '/src/app/blog.ts': `import { Routes } from '@angular/router';
const posts: Routes = [{ path: ':slug', loadComponent: () => import('./page').then((m) => m.Page) }];
export const blogRoutes: Routes = [{ path: '', children: [...posts] }, { path: 'all', children: [] }];
`,
  '/src/app/help.ts': `export default [{ path: 'topic/:topic', loadComponent: () => import('./page') }];\n`,
};
const DYNAMIC = [
  ...['admin/**', 'blog/:slug', 'help/topic/:topic', 'item/:id', 'old/:id', 'shop/:category/:page'],
  ...['team/:team', 'team/:team/members', 'user/:name', 'user/:name/orders'],
];

/** Routes of NgModules: the root's, of a module it imports, and of modules that are loaded. */
const MODULES: Readonly<Record<string, string>> = {
  '/src/app/app-routing-module.ts': `import { NgModule } from '@angular/core';
import { RouterModule, Routes } from '@angular/router';
import { Page } from './page';
const routes: Routes = [
  { path: '', component: Page },
  { path: 'catalog', loadChildren: () => import('./catalog-module').then((m) => m.CatalogModule) },
  { path: 'orders', loadChildren: () => import('./orders-module') },
  { path: 'admin', loadChildren: () => import('./admin-module').then((m) => m.AdminModule) },
];
@NgModule({ imports: [RouterModule.forRoot(routes)], exports: [RouterModule] })
export class AppRoutingModule {}
`,
  '/src/app/app-module.ts': `import { NgModule } from '@angular/core';
import { BrowserModule } from '@angular/platform-browser';
import { AppRoutingModule } from './app-routing-module';
import { AccountModule } from './account-module';
@NgModule({ imports: [BrowserModule, AppRoutingModule, AccountModule] })
export class AppModule {}
`,
  '/src/app/account-module.ts': `import { NgModule } from '@angular/core';
import { RouterModule } from '@angular/router';
import { Page } from './page';
@NgModule({ imports: [RouterModule.forChild([{ path: 'account/:tab', component: Page }])] })
export class AccountModule {}
`,
  '/src/app/catalog-module.ts': `import { NgModule } from '@angular/core';
import { CommonModule } from '@angular/common';
import { CatalogRoutingModule } from './catalog-routing-module';
@NgModule({ imports: [CommonModule, CatalogRoutingModule] })
export class CatalogModule {}
`,
  '/src/app/catalog-routing-module.ts': `import { NgModule } from '@angular/core';
import { RouterModule, Routes } from '@angular/router';
import { Page } from './page';
const routes: Routes = [{ path: '', component: Page }, { path: ':id', component: Page }];
@NgModule({ imports: [RouterModule.forChild(routes)], exports: [RouterModule] })
export class CatalogRoutingModule {}
`,
  '/src/app/orders-module.ts': `import { NgModule } from '@angular/core';
import { RouterModule } from '@angular/router';
import { Page } from './page';
@NgModule({ imports: [RouterModule.forChild([{ path: ':order', component: Page }])] })
export default class OrdersModule {}
`,
  '/src/app/admin-module.ts': `import { NgModule } from '@angular/core';
import { RoutesModule } from '@acme/admin';
@NgModule({ imports: [RoutesModule] })
export class AdminModule {}
`,
};

function withRoutes(tree: UnitTestTree, files = FILES): UnitTestTree {
  for (const [path, text] of Object.entries(files)) {
    if (tree.exists(path)) tree.overwrite(path, text);
    else tree.create(path, text);
  }
  return tree;
}

function pathsIn(text: string, mode: string): string[] {
  const found = text.matchAll(/path: '([^']*)',\s*renderMode: RenderMode\.(\w+)/g);
  return [...found].filter(([, , its]) => its === mode).map(([, path]) => path!);
}

async function add(tree: UnitTestTree, options: object): Promise<UnitTestTree> {
  return runnerOf('koa').runSchematic('ng-add', options, tree);
}

describe('the app engine gets server routes, by which pages with parameters are rendered on request', () => {
  test.each([
    ['an application on CommonEngine', () => starts['CommonEngine']!.create('koa')],
    ['a new application', () => newApplication()],
  ])('in %s', async (_what, create) => {
    const after = await add(withRoutes(await create()), { engine: 'app' });
    const text = after.readText('/src/app/app.routes.server.ts');
    expect(pathsIn(text, 'Server')).toEqual(DYNAMIC);
    expect(pathsIn(text, 'Prerender')).toEqual(['**']);
    expect(after.readText('/src/app/app.config.server.ts')).toContain(
      'provideServerRendering(withRoutes(serverRoutes))',
    );
  });

  test('in an application with NgModules', async () => {
    const tree = await starts['CommonEngine with NgModules']!.create('koa');
    const after = await add(withRoutes(tree, MODULES), { engine: 'app' });
    const text = after.readText('/src/app/app.routes.server.ts');
    expect(pathsIn(text, 'Server')).toEqual([
      'account/:tab',
      'admin/**',
      'catalog/:id',
      'orders/:order',
    ]);
    expect(pathsIn(text, 'Prerender')).toEqual(['**']);
  });

  test('where the routes of the Angular CLI prerender all, as far as pages have parameters', async () => {
    const tree = withRoutes(await starts['fresh with SSR']!.create('koa'));
    const after = await add(tree, {});
    const text = after.readText('/src/app/app.routes.server.ts');
    expect(pathsIn(text, 'Server')).toEqual(DYNAMIC.filter((path) => path.includes(':')));
    expect(pathsIn(text, 'Prerender')).toEqual(['**']);
  });

  test('not where there are server routes', async () => {
    const tree = withRoutes(await starts['fresh with SSR']!.create('koa'));
    const mine = `import { RenderMode, ServerRoute } from '@angular/ssr';
export const serverRoutes: ServerRoute[] = [{ path: '**', renderMode: RenderMode.Server }];
`;
    tree.overwrite('/src/app/app.routes.server.ts', mine);
    const common = await add(tree, { engine: 'common' });
    const after = await add(common, { engine: 'app' });
    expect(after.readText('/src/app/app.routes.server.ts')).toBe(mine);
  });

  test('all of them where the routes are not to be read', async () => {
    const tree = withRoutes(await starts['CommonEngine']!.create('koa'));
    tree.overwrite('/src/app/app.routes.ts', `export const routes = makeRoutes();\n`);
    const after = await add(tree, { engine: 'app' });
    const text = after.readText('/src/app/app.routes.server.ts');
    expect(pathsIn(text, 'Server')).toEqual(['**']);
    expect(pathsIn(text, 'Prerender')).toEqual([]);
  });

  test('not for CommonEngine', async () => {
    const tree = withRoutes(await starts['CommonEngine']!.create('koa'));
    const after = await add(tree, {});
    expect(after.exists('/src/app/app.routes.server.ts')).toBe(false);
  });
});

describe('of routes with parameters that come later', () => {
  const PATH = '/src/app/app.routes.server.ts';
  const NOTE =
    "  Note: A route with a parameter that you add later needs its own entry in src/app/app.routes.server.ts, such as { path: 'products/:id', renderMode: RenderMode.Server }; the build fails without it.";

  async function saidOn(tree: UnitTestTree): Promise<string[]> {
    const said: string[] = [];
    const runner = runnerOf('koa');
    runner.logger.subscribe(({ message }) => said.push(message));
    await runner.runSchematic('ng-add', {}, tree);
    return said;
  }

  test.each(['fresh with SSR', 'fresh without SSR'])('%s: one line says so', async (start) => {
    expect(await saidOn(await starts[start]!.create('koa'))).toContain(NOTE);
  });

  test('none where the rest is rendered on request', async () => {
    const tree = await starts['fresh with SSR']!.create('koa');
    tree.overwrite(PATH, tree.readText(PATH).replace('.Prerender', '.Server'));
    expect((await saidOn(tree)).join('\n')).not.toContain('parameter');
  });
});
