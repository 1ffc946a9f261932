import { expect, it } from 'vitest';
import { RoutePatterns } from '../src/fast/route-patterns.ts';

/** A state of the Router: how many segments each route has matched, by its path. */
function state(...routes: readonly (readonly [path: string | undefined, count: number])[]) {
  type Route = NonNullable<Parameters<RoutePatterns['learn']>[1]>;
  let root: Route | null = null;
  for (const [path, count] of [...routes].reverse()) {
    const routeConfig = path === undefined ? {} : { path };
    root = { url: Array.from({ length: count }, () => ({})), routeConfig, firstChild: root };
  }
  return { url: [], routeConfig: null, firstChild: root };
}

it.each([
  ['/', state(['', 0]), '/', ['/'], ['/a']],
  ['/a', state(['a', 1]), '/a', ['/a', '/a/'], ['/b', '/a/b', '/']],
  ['/p/1', state(['p/:id', 2]), '/p/:id', ['/p/1', '/p/2;x=1'], ['/p', '/p/1/2', '/q/1']],
  ['/p/1/r', state(['p/:id', 2], ['r', 1]), '/p/:id/r', ['/p/2/r'], ['/p/2/s']],
  // Below a base.
  ['/de/p/1', state(['p/:id', 2]), '/de/p/:id', ['/de/p/2'], ['/fr/p/2', '/p/2']],
  ['/p/a/b', state(['p', 1], ['**', 2]), '/p/**', ['/p', '/p/a', '/p/c/d/e'], ['/q']],
  ['/a/b', state(['**', 2]), '/**', ['/', '/c'], []],
  // Matched by a function.
  ['/a/b', state([undefined, 2]), '/a/b', ['/a/b'], ['/a/c']],
  ['/caf%C3%A9/1', state(['café/:id', 2]), '/caf%C3%A9/:id', ['/caf%C3%A9/2'], []],
])('names the route of %s', (pathname, matched, name, same, others) => {
  const routes = new RoutePatterns();
  expect(routes.of(pathname)).toBe(pathname);
  expect(routes.learn(pathname, matched)).toBe(name);
  for (const path of same) expect(routes.of(path)).toBe(name);
  for (const path of others) expect(routes.of(path)).toBe(path);
});

it('takes many unknown paths as one route', () => {
  const routes = new RoutePatterns();
  const names = ['/a', '/b', '/a', '/c', '/d', '/e'].map((path) => routes.learn(path, undefined));
  expect(names).toEqual(['/a', '/b', '/a', '/c', '/d', '/**']);
  expect(routes.of('/f')).toBe('/**');
});
