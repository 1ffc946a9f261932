import '@angular/compiler';
import { IMAGE_CONFIG } from '@angular/common';
import {
  HttpClient,
  HttpHeaders,
  provideHttpClient,
  withInterceptors,
  withNoXsrfProtection,
} from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import {
  type ApplicationRef,
  DOCUMENT,
  PLATFORM_ID,
  provideZonelessChangeDetection,
} from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { INITIAL_CONFIG, platformServer } from '@angular/platform-server';
import { lateCalls } from '@ng-ssr/angular';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

const LIST = 'cart /api/cart?full=yes user /shop/api/user far https://api.example/far';
const MARK = `<meta name="ng-ssr-late-calls" content="${LIST}">`;
const slotOf = (name: string, text: string): string =>
  `<script type="application/json" data-ng-ssr-slot="${name}">${text}\n</script>`;
const SLOTS = slotOf('cart', '{"count":2}') + slotOf('user', '"ann"') + slotOf('far', '"moon"');

/** They need a whole browser. */
const NO_WARNINGS = { disableImageSizeWarning: true, disableImageLazyLoadWarning: true };

/** An application of a browser, as far as HttpClient needs one, whose document has arrived. */
async function start(body = SLOTS, head = MARK, platformId = 'browser') {
  const document = `<html><head><base href="/shop/">${head}</head><body>${body}</body></html>`;
  const config = { document, url: 'http://localhost/shop/page?a=b' };
  // Otherwise there is one platform in the process.
  vi.stubGlobal('ngServerMode', true);
  const platformRef = platformServer([{ provide: INITIAL_CONFIG, useValue: config }]);
  vi.stubGlobal('ngServerMode', false);
  const providers = [
    provideZonelessChangeDetection(),
    provideHttpClient(withInterceptors([lateCalls]), withNoXsrfProtection()),
    provideHttpClientTesting(),
    { provide: PLATFORM_ID, useValue: platformId },
    { provide: IMAGE_CONFIG, useValue: NO_WARNINGS },
  ];
  const app: ApplicationRef = await createApplication({ providers }, { platformRef });
  onTestFinished(() => platformRef.destroy());
  Object.defineProperty(app.injector.get(DOCUMENT), 'readyState', { value: 'complete' });
  const http = app.injector.get(HttpClient);
  const sent = app.injector.get(HttpTestingController);
  const seen: unknown[] = [];
  const see = { next: (body: unknown) => seen.push(body), complete: () => seen.push('end') };
  const get = (url: string, options = {}): void => void http.get(url, options).subscribe(see);
  return { app, http, sent, seen, get };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('requests of a starting application get the data of the slot, later ones are sent', async () => {
  const { app, http, sent, seen, get } = await start();
  get('/api/cart?full=yes');
  http.get('/api/cart', { params: { full: 'yes' } }).subscribe((body) => seen.push(body));
  // Hydration comes first.
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  expect(seen).toEqual([]);
  await app.whenStable();
  expect(seen).toEqual([{ count: 2 }, 'end', { count: 2 }]);
  expect(seen[0]).not.toBe(seen[2]);
  get('/api/cart?full=yes');
  sent.expectOne('/api/cart?full=yes').flush({ count: 3 });
  expect(seen.slice(3)).toEqual([{ count: 3 }, 'end']);
});

test.each([
  ['api/user', 'ann'],
  ['/shop/api/user', 'ann'],
  ['http://localhost/shop/api/user', 'ann'],
  ['../shop/./api/user#top', undefined],
  ['/api/user', undefined],
  ['/shop/api/user?x', undefined],
  ['//localhost:80/shop/api/user', 'ann'],
  ['https://api.example/far', 'moon'],
  ['http://api.example/far', undefined],
  ['http://[', undefined],
])('the URL %s', async (url, data) => {
  const { app, sent, seen, get } = await start();
  get(url);
  if (data === undefined) return sent.expectOne(url).flush(null);
  await app.whenStable();
  expect(seen).toEqual([data, 'end']);
});

test.each([
  ['for a text', { responseType: 'text' as const }],
  ['of another user', { headers: new HttpHeaders({ Authorization: 'Bearer x' }) }],
  ['of another tenant', { headers: new HttpHeaders({ 'X-Tenant': 'b' }) }],
  ['without cookies', { credentials: 'omit' as const }],
])('a request %s is sent', async (_name, options) => {
  const { sent, get } = await start();
  get('api/user', options);
  sent.expectOne('api/user');
});

test('a request that changes something is sent, and what was there before it is not used', async () => {
  const { http, sent, get } = await start();
  http.post('api/user', null).subscribe();
  get('api/user');
  expect(sent.match('api/user').map(({ request }) => request.method)).toEqual(['POST', 'GET']);
});

test.each([
  ['has failed', slotOf('user', '')],
  ['is missing', ''],
])('a request whose slot %s is sent once', async (_name, body) => {
  const { sent, seen, get } = await start(body);
  get('api/user');
  await vi.waitFor(() => sent.expectOne('api/user').flush('bob'));
  expect(seen).toEqual(['bob', 'end']);
});

test('data is not used when the page has been open for more than ten seconds', async () => {
  const { sent, get } = await start();
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 10_001);
  onTestFinished(() => void vi.restoreAllMocks());
  get('api/user');
  sent.expectOne('api/user');
});

test('data is not used when the visitor has gone back, because the browser may have kept the document', async () => {
  const { sent, get } = await start();
  const visit = { type: 'back_forward' } as PerformanceNavigationTiming;
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([visit]);
  onTestFinished(() => void vi.restoreAllMocks());
  get('api/user');
  sent.expectOne('api/user');
});

test('a server completes these calls without a value', async () => {
  const { http, sent, seen, get } = await start(SLOTS, MARK, 'server');
  get('api/user');
  expect(seen).toEqual(['end']);
  get('api/other');
  http.head('api/user').subscribe();
  expect(sent.match(() => true).map(({ request }) => request.urlWithParams)).toEqual([
    'api/other',
    'api/user',
  ]);
});

test('ng build knows the calls of the program', async () => {
  const { sent, seen, get } = await start('', '', 'server');
  get('api/user');
  sent.expectOne('api/user');
  vi.stubGlobal(Symbol.for('ng-ssr.late-calls') as never, LIST);
  const built = await start('', '', 'server');
  built.get('api/user');
  expect([seen, built.seen]).toEqual([[], ['end']]);
});
