import type { Routes } from '@angular/router';
import { Home } from './home';

export const routes: Routes = [
  { path: '', component: Home, title: $localize`:@@title:Gallery` },
  { path: 'parts', loadComponent: () => import('./parts').then((file) => file.Parts) },
  { path: 'form', loadComponent: () => import('./form').then((file) => file.Form) },
  { path: 'later', loadComponent: () => import('./later').then((file) => file.Later) },
  { path: 'built', loadComponent: () => import('./later').then((file) => file.Later) },
  { path: 'browser', loadComponent: () => import('./form').then((file) => file.Form) },
  { path: 'moved', redirectTo: 'parts' },
];
