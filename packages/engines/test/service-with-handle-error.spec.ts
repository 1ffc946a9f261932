import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, Injectable, provideEnvironmentInitializer, REQUEST } from '@angular/core';
import type { SsrError } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine } from '../src/index.ts';
import { bootstrapWith } from './fixture/app.ts';
import { setManifests } from './fixture/manifests.ts';

/** As in Angular's tutorial of HttpClient: its method handles errors of calls. */
class HeroService {
  static made = 0;
  readonly handled: unknown[] = [];

  constructor() {
    HeroService.made++;
  }

  handleError(error: unknown): void {
    this.handled.push(error);
  }
}
Injectable()(HeroService);

/** Provided without a decorator. */
class PlainService {
  static made = 0;

  constructor() {
    PlainService.made++;
  }

  handleError(): void {}
}

setManifests(
  bootstrapWith({
    providers: [
      HeroService,
      { provide: PlainService, useFactory: () => new PlainService() },
      provideEnvironmentInitializer(() => {
        if (!inject(REQUEST)!.url.includes('/hello')) return;
        const service = inject(HeroService);
        service.handleError(new Error('a call has failed'));
        // An instance is the application's own: its method is the one of its class.
        if (Object.hasOwn(service, 'handleError')) throw new Error('wrapped');
      }),
    ],
  }),
);

beforeEach(() => void vi.stubGlobal('ngServerMode', true));
afterEach(() => void vi.unstubAllGlobals());

it('a service with a method handleError is no ErrorHandler', async () => {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: appEngine(),
    allowedHosts: ['shop.example'],
    files: { folder: mkdtempSync(join(tmpdir(), 'ng-ssr-handle-error-')) },
    routeRules: { '/**': { sMaxAge: 60 } },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => handler.close());
  const exchange = plainExchange('/hello', { host: 'shop.example' });
  expect((await handler.render(exchange))?.status).toBe(200);
  expect(errors).toEqual([]);
  expect(handler.answer(exchange)?.status).toBe(200);
  expect([HeroService.made, PlainService.made]).toEqual([1, 0]);
  await handler.render(plainExchange('/plain', { host: 'shop.example' }));
  expect([HeroService.made, PlainService.made]).toEqual([1, 0]);
});
