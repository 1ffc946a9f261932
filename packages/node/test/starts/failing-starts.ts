/** Starts that fail, for the program and for its test. */
import { withCalls, withInspector, withPurgeEndpoint } from '@ng-ssr/core';
import type { Start } from './servers.ts';

/** A mistake, and what the process prints about it. */
interface FailingStart {
  readonly options?: object;
  readonly listen?: object;
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Code of the program's own, before it listens. */
  readonly own?: Start['own'];
  /** Code of the program's own, before it creates the server. */
  readonly before?: () => unknown;
  /** The code of the message. */
  readonly code: string;
  /** What the line contains. */
  readonly says: string;
  /** Whether the program's own error follows the line, with its stack. */
  readonly hasStack?: true;
}

const INVALID = 'NG_SSR_OPTION_INVALID';
const FAILED = 'NG_SSR_START_FAILED';

export const FAILING_STARTS: Readonly<Record<string, FailingStart>> = {
  'an option with a typing mistake': {
    options: { alowedHosts: [] },
    ...{ code: 'NG_SSR_OPTION_UNKNOWN', says: 'alowedHosts' },
  },
  'no engine': { options: { engine: undefined }, code: INVALID, says: 'engine' },
  'a host with a scheme': {
    options: { allowedHosts: ['https://shop.example'] },
    ...{ code: INVALID, says: 'https://shop.example' },
  },
  'an unknown proxy header': {
    options: { trustProxyHeaders: ['x-real-ip'] },
    ...{ code: INVALID, says: 'x-real-ip' },
  },
  'a rule without a leading slash': {
    options: { routeRules: { 'products/**': { sMaxAge: 60 } } },
    ...{ code: INVALID, says: 'routeRules["products/**"]' },
  },
  'a rule with a wrong value': {
    options: { routeRules: { '/products/**': { sMaxAge: '60' } } },
    ...{ code: INVALID, says: 'routeRules["/products/**"].sMaxAge' },
  },
  'a rule for calls to no URL': {
    options: { features: [withCalls({ 'cms.example/**': { timeoutMs: 500 } })] },
    ...{ code: INVALID, says: 'withCalls["cms.example/**"]' },
  },
  'an error page that the build lacks': {
    options: { errorPages: { 404: '/missing' } },
    ...{ code: INVALID, says: '/missing' },
  },
  'a purge endpoint without a token': {
    options: { features: [withPurgeEndpoint({ path: '/purge', token: undefined })] },
    ...{ code: INVALID, says: 'withPurgeEndpoint.token' },
  },
  'a probe that is not a path': {
    options: { probes: { live: 'healthz' } },
    ...{ code: INVALID, says: 'probes.live' },
  },
  'an inspector with a short token': {
    options: { features: [withInspector({ path: '/inspector', token: 'secret' })] },
    ...{ code: INVALID, says: 'withInspector.token' },
  },
  'a page store with a typing mistake': {
    before: async () => {
      const { redisPageStore } = await import('@ng-ssr/redis');
      redisPageStore({ uri: 'redis://localhost' } as never);
    },
    ...{ code: 'NG_SSR_OPTION_UNKNOWN', says: 'uri' },
  },
  'a port in use': { code: FAILED, says: 'is in use' },
  'a port that is a word': { env: { PORT: 'abc' }, code: INVALID, says: 'PORT is "abc"' },
  'a port that does not exist': { env: { PORT: '70000' }, code: INVALID, says: 'PORT is "70000"' },
  'an address of another machine': {
    listen: { host: '192.0.2.1' },
    ...{ code: FAILED, says: 'is not an address of this machine' },
  },
  'a shutdown without time': {
    listen: { shutdown: { timeoutMs: -1 } },
    // Bun and Deno listen before they know of it.
    env: { PORT: '0' },
    ...{ code: INVALID, says: 'shutdown.timeoutMs is -1' },
  },
  'an error after the server was created': {
    own: () => {
      throw new TypeError('the routes cannot be read');
    },
    ...{ code: FAILED, says: 'the program failed before its server listened', hasStack: true },
  },
  'code for browsers': {
    own: () => {
      throw new ReferenceError('window is not defined');
    },
    ...{ code: FAILED, says: 'A server has no window: use it in', hasStack: true },
  },
  'an error that cannot be read': {
    own: () =>
      new Promise(() => {
        const { proxy, revoke } = Proxy.revocable(new Error('the connection has ended'), {});
        revoke();
        setImmediate(() => {
          throw proxy;
        });
      }),
    ...{ code: FAILED, says: 'with an error that cannot be read' },
  },
  'a rejection after the server was created': {
    own: () => Promise.reject(new Error('the database does not answer')),
    ...{ code: FAILED, says: 'the program failed before its server listened', hasStack: true },
  },
  'an event without a listener': {
    own: () =>
      new Promise(() => {
        setImmediate(() => {
          throw new Error('the connection has ended');
        });
      }),
    ...{ code: FAILED, says: 'the program failed before its server listened', hasStack: true },
  },
};
