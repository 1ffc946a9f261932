import { CALLS, defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'node, calls',
  features: { withCalls, withSlots },
  isVariant: true,
  // The whole suite with calls: nothing else may change by them.
  createServer: async ({ features = [], ...options }) => {
    const others = features.filter(({ name }) => name !== 'calls');
    const calls = withCalls({ '**': { timeoutMs: 20_000, inProcess: false }, ...CALLS });
    const server = createFixtureServer({ ...options, features: [...others, calls] });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
