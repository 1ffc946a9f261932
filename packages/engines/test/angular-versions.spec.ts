import '@angular/compiler';
import { VERSION } from '@angular/core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TESTED_ANGULARS } from '../src/tested-angulars.ts';
import { bootstrap } from './fixture/app.ts';
import { setManifests } from './fixture/manifests.ts';

const { full } = VERSION;
const [oldest] = TESTED_ANGULARS[0]!;
const setup = {
  allowedHosts: ['shop.example'],
  trustProxyHeaders: false,
  browserFolder: undefined,
};

beforeAll(() => setManifests(bootstrap));
afterEach(() => {
  Object.assign(VERSION, { full });
  vi.restoreAllMocks();
  vi.resetModules();
});

/** What a server prints as it sets up an engine of a process that has not set up another, on a version of Angular. */
async function startOn(version: string, times = 1): Promise<string[]> {
  Object.assign(VERSION, { full: version });
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { angularAppEngine } = await import('../src/neutral.ts');
  for (let i = 0; i < times; i++) angularAppEngine().setup!(setup as never);
  return said.mock.calls.map(([line]) => String(line));
}

describe('the start of a server', () => {
  it.each([
    ['20.3.9', 21],
    ['21.0.1', 21],
    ['21.2.8', 21],
    ['18.2.0', 19],
  ])('on Angular %s fails with the command that updates it', async (version, next) => {
    await expect(startOn(version)).rejects.toThrow(
      expect.objectContaining({
        code: 'NG_SSR_ANGULAR_UNSUPPORTED',
        message: `this application has Angular ${version}; supported: ${oldest} and later. Run "npx ng update @angular/core@${next} @angular/cli@${next}".`,
      }) as Error,
    );
  });

  it.each(['22.3.0', '22.2.1', '21.3.0', '23.0.0-next.2', '22.0.0-rc.1'])(
    'on Angular %s is one line, once',
    async (version) => {
      const said = await startOn(version, 2);
      expect(said).toHaveLength(1);
      expect(said[0]).toContain(
        `ng-ssr: NG_SSR_ANGULAR_UNTESTED: this version of ng-ssr is not tested with Angular ${version} (tested: ${oldest} to `,
      );
      expect(said[0]).not.toContain('\n');
    },
  );

  it.each([...TESTED_ANGULARS.flat(), '21.2.12', '22.0.4', full, '0.0.0-PLACEHOLDER'])(
    'on Angular %s prints nothing about it',
    async (version) => {
      expect(await startOn(version)).toEqual([]);
    },
  );
});

describe.each(['appEngine', 'commonEngine'] as const)('%s', (name) => {
  it('refuses an Angular that is not supported', async () => {
    Object.assign(VERSION, { full: '21.1.5' });
    const engines = await import('../src/index.ts');
    const engine = name === 'appEngine' ? engines.appEngine() : engines.commonEngine({ bootstrap });
    expect(() => engine.setup!(setup as never)).toThrow(/Angular 21\.1\.5; supported/);
  });
});
