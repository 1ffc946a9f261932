import { AngularNodeAppEngine } from '@angular/ssr/node';
import type { SsrError } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { expect, it, onTestFinished, vi } from 'vitest';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine } from '../src/index.ts';
import { bootstrap } from './fixture/failing-app.ts';
import { setManifests } from './fixture/manifests.ts';

it('errors are followed where an engine of Angular has rendered before', async () => {
  vi.stubGlobal('ngServerMode', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  setManifests(bootstrap);
  const angular = new AngularNodeAppEngine({ allowedHosts: ['shop.example'] });
  const first = await angular.handle(new Request('http://shop.example/fine'));
  expect(first?.status).toBe(200);
  await first?.text();

  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: appEngine(),
    allowedHosts: ['shop.example'],
    routeRules: { '/**': { sMaxAge: 60 } },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => handler.close());
  const exchange = plainExchange('/template', { host: 'shop.example' });
  const { status, headers = [] } = (await handler.render(exchange))!;
  expect(status).toBe(200);
  expect(headers).toContain('no-store');
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_ERROR_UNHANDLED']);
});
