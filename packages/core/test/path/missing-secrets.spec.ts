import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type Edge,
  type SsrOptions,
  withInspector,
  withPurgeEndpoint,
  withEdge,
} from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { cloudflareEdge, fastlyEdge, netlifyEdge } from '@ng-ssr/edge';
import { writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

function create(folder: string, options: Partial<SsrOptions>): SsrHandler {
  const own = { engine: () => null, allowedHosts: ['localhost'], onError: () => undefined };
  return new SsrHandler({ ...own, files: { folder }, ...options });
}

afterEach(() => vi.unstubAllEnvs());

const built = (): string => writeBuiltSite({ 'browser/index.html': '<p>home</p>' });
/** As in `ng build`, which runs the server to find its routes. */
const building = (): string => join(built(), 'nothing');

const withPurges = (token: string | undefined): Partial<SsrOptions> => ({
  features: [withPurgeEndpoint({ path: '/_cache/purge', token })],
});
const ofEdge = (edge: Edge): Partial<SsrOptions> => ({ features: [withEdge(edge)] });
const NO_TOKEN =
  'withPurgeEndpoint.token is missing. Set the environment variable that you pass to it to a random string of ' +
  'at least 16 characters, such as the output of `openssl rand -hex 32`';
const NAMED: [string, Partial<SsrOptions>, string][] = [
  [
    'withPurgeEndpoint.token',
    withPurges(undefined),
    'withPurgeEndpoint.token is missing. Set NG_SSR_TOKEN to a random string of at least 16 ' +
      'characters, such as the output of `openssl rand -hex 32`',
  ],
  ['withPurgeEndpoint.token of an empty variable', withPurges(''), NO_TOKEN],
  [
    'withInspector.token',
    { features: [withInspector()] },
    'withInspector.token is missing. Set NG_SSR_TOKEN to a random string of at least 16 ' +
      'characters, such as the output of `openssl rand -hex 32`',
  ],
  [
    'fastlyEdge.token',
    ofEdge(fastlyEdge({ serviceId: 'SU1Z0', token: undefined })),
    'fastlyEdge.token is missing. Set the environment variable that you pass to it',
  ],
  [
    'cloudflareEdge.token',
    ofEdge(cloudflareEdge({ zoneId: '023e', token: '' })),
    'cloudflareEdge.token is missing. Set the environment variable that you pass to it',
  ],
  [
    'netlifyEdge.siteId',
    ofEdge(netlifyEdge({ siteId: undefined, token: 'secret' })),
    'netlifyEdge.siteId is missing. Set the environment variable that you pass to it',
  ],
];

test.each(NAMED)(
  '%s may be missing while the application is built, and not at start',
  (_name, options, message) => {
    vi.stubEnv('NG_SSR_TOKEN', undefined);
    expect(() => create(building(), options)).not.toThrow();
    expect(() => create(built(), options)).toThrow(message);
  },
);

test('an endpoint without its token is not there', async () => {
  vi.stubEnv('NG_SSR_TOKEN', undefined);
  const { features = [] } = withPurges(undefined);
  const handler = create(building(), { features: [...features, withInspector()] });
  expect(handler.endpointRoutes).toEqual([]);
  for (const path of ['/_cache/purge', '/_ng-ssr/inspector']) {
    expect(await handler.render(plainExchange(path))).toBeUndefined();
  }
});

test.each(['short', 'sixteen characters'])('a wrong token is refused in each case: %s', (token) => {
  for (const folder of [building(), built()]) {
    expect(() => create(folder, withPurges(token))).toThrow(/withPurgeEndpoint\.token has /);
  }
});

test.each([undefined, {}])(
  'the inspector with the options %j is where ng-ssr explain asks, and has the token of NG_SSR_TOKEN',
  async (options) => {
    vi.stubEnv('NG_SSR_TOKEN', 'a-token-of-sixteen-or-more');
    const handler = create(built(), { features: [withInspector(options)] });
    const ask = async (token: string): Promise<number | undefined> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await handler.render(plainExchange('/_ng-ssr/inspector/state', headers)))?.status;
    };
    expect(await ask('a-token-of-sixteen-or-more')).toBe(200);
    expect(await ask('another-token-of-sixteen')).toBe(401);
  },
);

test('a wrong token of a variable is refused with the name of the variable', () => {
  vi.stubEnv('NG_SSR_TOKEN', 'abc');
  expect(() => create(built(), { features: [withInspector()] })).toThrow(
    'withInspector.token has 3 characters. Set NG_SSR_TOKEN to a random string of at least 16 characters',
  );
});

test('adapters learn where endpoints take POST', () => {
  const token = 'a-token-of-sixteen-or-more';
  const { features = [] } = withPurges(token);
  const inspector = withInspector({ path: '/_ops', token });
  expect(create(built(), { features: [...features, inspector] }).endpointRoutes).toEqual([
    { option: 'withPurgeEndpoint.path', path: '/_cache/purge' },
    { option: 'withInspector.path', path: '/_ops', hasPathsBelow: true },
  ]);
});
