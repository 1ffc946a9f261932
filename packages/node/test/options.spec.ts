import { expect, it } from 'vitest';
import { createNodeSsrServer, type NodeSsrOptions } from '@ng-ssr/node/server';

const { proxy, revoke } = Proxy.revocable({}, {});
revoke();

it.each([
  ['null', null],
  ['a revoked proxy', proxy],
  [
    'a proxy that throws',
    new Proxy(
      { engine: () => null },
      {
        get: () => {
          throw new Error('a trap');
        },
      },
    ),
  ],
])('options that are %s are refused as wrong values are', (_title, options) => {
  expect(() => createNodeSsrServer(options as NodeSsrOptions)).toThrow(
    expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }) as Error,
  );
});
