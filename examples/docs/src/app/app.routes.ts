import { inject } from '@angular/core';
import type { Route, Routes } from '@angular/router';
import { pages } from '../../generated/content/pages';
import type { PageContent } from './content/page-content';
import { PageSource } from './content/page-source';
import { NotFoundPage } from './not-found/not-found';

interface Listed {
  readonly path: string;
  readonly title: string;
  load(): Promise<PageContent>;
}

const NOT_FOUND: Route = { title: 'Page not found · ng-ssr', component: NotFoundPage };

/** Only the browser has it: see main.ts. */
export const otherPaths: Route = { ...NOT_FOUND, path: '**' };

export const routes: Routes = [...pages.map(toRoute), { ...NOT_FOUND, path: '404' }];

function toRoute({ path, title, load }: Listed): Route {
  return {
    path,
    pathMatch: 'full',
    title: path === '' ? 'ng-ssr: a server for Angular SSR' : `${title} · ng-ssr`,
    resolve: { page: () => inject(PageSource).load(path, load) },
    loadComponent: componentOf(path),
  };
}

function componentOf(path: string): NonNullable<Route['loadComponent']> {
  if (path === '') return () => import('./home/home').then((m) => m.HomePage);
  if (path === 'benchmarks')
    return () => import('./pages/benchmarks').then((m) => m.BenchmarksPage);
  if (path === 'errors') return () => import('./errors/errors').then((m) => m.ErrorsPage);
  return () => import('./pages/guide').then((m) => m.GuidePage);
}
