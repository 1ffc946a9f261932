import { inject } from '@angular/core';
import type { ActivatedRouteSnapshot, Routes } from '@angular/router';
import { Catalogue } from './data/catalogue';
import { AboutPage } from './pages/about';
import { HomePage } from './pages/home';
import { NotFoundPage } from './pages/not-found';
import { ProductPage } from './pages/product';

const title = (name: string) => `${name} · Ember & Slip`;

const productTitle = (route: ActivatedRouteSnapshot) =>
  title(inject(Catalogue).find(route.paramMap.get('id') ?? '')?.name ?? 'Not on the shelf');

export const routes: Routes = [
  { path: '', pathMatch: 'full', title: 'Ember & Slip', component: HomePage },
  { path: 'about', title: title('The studio'), component: AboutPage },
  {
    path: 'catalog',
    title: title('Shop'),
    loadComponent: () => import('./pages/catalog').then((m) => m.CatalogPage),
  },
  { path: 'products/:id', title: productTitle, component: ProductPage },
  {
    path: 'guide',
    title: title('Care guide'),
    loadComponent: () => import('./pages/guide').then((m) => m.GuidePage),
  },
  {
    path: 'large',
    title: title('Trade price list'),
    loadComponent: () => import('./pages/price-list').then((m) => m.PriceListPage),
  },
  {
    path: 'trade/:customer',
    title: title('Trade price list'),
    loadComponent: () => import('./pages/price-list').then((m) => m.PriceListPage),
  },
  {
    path: 'lazy',
    title: title('Kiln log'),
    loadComponent: () => import('./pages/kiln-log').then((m) => m.KilnLogPage),
  },
  {
    path: 'client',
    title: title('Basket'),
    loadComponent: () => import('./pages/basket').then((m) => m.BasketPage),
  },
  {
    path: 'hello',
    title: title('Hello'),
    loadComponent: () => import('./pages/hello').then((m) => m.HelloPage),
  },
  {
    path: 'greeting',
    title: title('Good day'),
    loadComponent: () => import('./pages/greeting').then((m) => m.GreetingPage),
  },
  {
    path: 'account',
    title: title('Account'),
    loadComponent: () => import('./pages/account').then((m) => m.AccountPage),
  },
  {
    path: 'gone',
    title: title('Retired'),
    loadComponent: () => import('./pages/gone').then((m) => m.GonePage),
  },
  {
    path: 'boom',
    title: title('Cracked in the kiln'),
    loadComponent: () => import('./pages/boom').then((m) => m.BoomPage),
  },
  {
    path: 'slow',
    title: title('Slow'),
    loadComponent: () => import('./pages/slow').then((m) => m.SlowPage),
  },
  {
    path: 'hang',
    title: title('Still waiting'),
    loadComponent: () => import('./pages/hang').then((m) => m.HangPage),
  },
  {
    path: 'loop',
    title: title('Endless'),
    loadComponent: () => import('./pages/loop').then((m) => m.LoopPage),
  },
  {
    path: 'missing',
    title: title('Sold out'),
    loadComponent: () => import('./pages/missing').then((m) => m.MissingPage),
  },
  // They call the shop's API, and no page of the others leads to them.
  { path: 'live', loadChildren: () => import('./live/routes').then((m) => m.routes) },
  { path: 'old', redirectTo: 'about' },
  { path: '**', title: title('Page not found'), component: NotFoundPage },
];
