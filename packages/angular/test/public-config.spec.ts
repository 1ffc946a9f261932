import {
  Component,
  inject,
  type EnvironmentProviders,
  type Provider,
  provideZonelessChangeDetection,
} from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { beforeEach, expect, test, vi } from 'vitest';
import { PUBLIC_CONFIG, type PublicConfig, providePublicConfig } from '@ng-ssr/angular';

declare module '@ng-ssr/angular' {
  interface PublicConfig {
    apiUrl: string;
    flags?: { newCart: boolean };
  }
}

const injected: Readonly<PublicConfig>[] = [];

class App {
  readonly api: string;

  constructor() {
    const config = inject(PUBLIC_CONFIG);
    injected.push(config);
    this.api = config.apiUrl;
  }
}
Component({ selector: 'app-root', template: 'api={{ api }}' })(App);

const element = (json: string): string =>
  `<script type="application/json" id="ng-ssr-config">${json}</script>`;
const document = (head: string, body = ''): string =>
  `<!doctype html><html><head>${head}<title>t</title></head><body>${body}<app-root></app-root></body></html>`;

function render(
  page: string,
  providers: (Provider | EnvironmentProviders)[] = [],
): Promise<string> {
  const all = [provideZonelessChangeDetection(), provideServerRendering(), ...providers];
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(App, { providers: all }, context);
  return renderApplication(bootstrap, {
    document: page,
    url: 'http://localhost/',
    allowedHosts: ['localhost'],
  });
}

beforeEach(() => {
  vi.stubGlobal('ngServerMode', true);
  injected.length = 0;
  return () => vi.unstubAllGlobals();
});

test('a component has what the page carries, and the page stays as it is', async () => {
  const page = await render(document(element('{"apiUrl":"https://a.example/\\u003c"}')));
  expect(page).toContain('api=https://a.example/&lt;');
  expect(page).toContain(element('{"apiUrl":"https://a.example/\\u003c"}'));
});

test('it is frozen throughout, and one object for all pages of a server', async () => {
  const json = '{"apiUrl":"a","flags":{"newCart":true}}';
  await render(document(element(json)));
  await render(document(element(json)));
  await render(document(element('{"apiUrl":"b"}')));
  const [first, second, other] = injected;
  expect(first).toBe(second);
  expect(other).toEqual({ apiUrl: 'b' });
  expect(() => Object.assign(first!.flags!, { newCart: false })).toThrow(TypeError);
  expect(() => Object.assign(first!, { apiUrl: 'c' })).toThrow(TypeError);
});

test('content with the id of the element does not count, wherever a page has it', async () => {
  const evil = element('{"apiUrl":"https://evil.example"}');
  const named = '<img name="head"><div id="ng-ssr-config">{"apiUrl":"x"}</div>';
  expect(await render(document(element('{"apiUrl":"a"}') + evil, named + evil))).toContain('api=a');
  await expect(render(document('', named + evil))).rejects.toThrow(
    'PUBLIC_CONFIG: this page has no configuration',
  );
});

test('providePublicConfig is for pages without a configuration alone', async () => {
  const given = { apiUrl: 'built', flags: { newCart: true } };
  const providers = [providePublicConfig(given)];
  expect(await render(document(''), providers)).toContain('api=built');
  expect(Object.isFrozen(injected[0]!.flags)).toBe(true);
  // It is the caller's, and may be another test's.
  expect(Object.isFrozen(given.flags)).toBe(false);
  expect(await render(document(element('{"apiUrl":"a"}')), providers)).toContain('api=a');
  expect(injected[1]).toEqual({ apiUrl: 'a' });
});
