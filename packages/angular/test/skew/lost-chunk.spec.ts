import '@angular/compiler';
import { expect, test } from 'vitest';
import { isLostChunk } from '@ng-ssr/angular';

const named = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

test.each([
  ['Chromium', new TypeError('Failed to fetch dynamically imported module: https://a/chunk-x.js')],
  ['Firefox', new TypeError('error loading dynamically imported module: https://a/chunk-x.js')],
  ['Firefox, with a capital', new TypeError('Error loading dynamically imported module')],
  ['Safari', new TypeError('Importing a module script failed.')],
  ['Safari, a page', new TypeError("'text/html' is not a valid JavaScript MIME type.")],
  [
    'Firefox, a page',
    new Error('Loading module from “https://a/c.js” was blocked because of a disallowed MIME type'),
  ],
  [
    'Chromium, a page',
    new Error('Expected a JavaScript module script but the server responded with a MIME type of'),
  ],
  ['webpack', named('ChunkLoadError', 'Loading chunk 36 failed.')],
  ['webpack, older', new Error('Loading chunk 36 failed.')],
  ['webpack, styles', new Error('Loading CSS chunk about failed.')],
  ['a text', 'Failed to fetch dynamically imported module: https://a/chunk-x.js'],
  ['a @defer block', named('Error', 'NG0750', { code: -750 })],
  [
    'an error around it',
    new Error('NG04014', { cause: new Error('Importing a module script failed.') }),
  ],
  [
    'a rejection of zone.js',
    named('Error', 'x', { rejection: new Error('Loading chunk 1 failed.') }),
  ],
])('%s: a lost chunk', (_, error) => {
  expect(isLostChunk(error)).toBe(true);
});

const circle = new Error('circle');
circle.cause = circle;

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 750],
  ['an HTTP error', named('HttpErrorResponse', 'Http failure response', { status: 404 })],
  ['a failed fetch', new TypeError('Failed to fetch')],
  ['a guard', new Error('not allowed')],
  ['a circle', circle],
  ['a frozen object', Object.freeze({})],
  ['another code', named('Error', 'NG0751', { code: -751 })],
])('%s: none', (_, error) => {
  expect(isLostChunk(error)).toBe(false);
});
