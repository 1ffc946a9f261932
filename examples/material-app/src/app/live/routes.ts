import { HttpClient, type HttpErrorResponse } from '@angular/common/http';
import { inject } from '@angular/core';
import type { ResolveFn, Routes } from '@angular/router';
import { catchError, of } from 'rxjs';
import type { Product } from '../data/products';
import { AccountPage } from './account';
import { CourierPage } from './courier';
import { ProductPage } from './product';

/** The product; null if the shop has none of that number, 'unknown' if its API has not said. */
export type Found = Product | null | 'unknown';

const findProduct: ResolveFn<Found> = ({ params }) =>
  inject(HttpClient)
    .get<Product>(`/api/products/${encodeURIComponent(String(params['id']))}`)
    .pipe(
      catchError(({ status }: HttpErrorResponse) => of<Found>(status === 404 ? null : 'unknown')),
    );

/** Pages that ask the shop's API for what they show. */
export const routes: Routes = [
  {
    path: 'account',
    title: 'Your orders · Ember & Slip',
    component: AccountPage,
  },
  {
    path: 'slow',
    title: 'When it comes · Ember & Slip',
    data: { api: '/api/slow' },
    component: CourierPage,
  },
  {
    path: 'hung',
    title: 'When it comes · Ember & Slip',
    data: { api: '/api/hung' },
    component: CourierPage,
  },
  {
    path: ':id',
    title: 'On the shelf today · Ember & Slip',
    resolve: { product: findProduct },
    runGuardsAndResolvers: 'paramsChange',
    component: ProductPage,
  },
];
