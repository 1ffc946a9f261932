import { afterFirst, type RenderBytes } from './side';

/** The methods that ng-ssr gives Angular's Map of views and its WeakMaps by application. */
const METHODS = new Set(['set', 'get', 'has', 'delete']);

/**
 * Takes the methods off again that ng-ssr has given to Maps and WeakMaps in the first render: they are found among all
 * that the render writes to.
 */
export function withNativeMaps(create: () => RenderBytes): RenderBytes {
  const written = new Set<object>();
  const restore = [watch(Map.prototype, written), watch(WeakMap.prototype, written)];
  return afterFirst(create(), () => {
    for (const each of restore) each();
    let taken = 0;
    for (const map of written) {
      if (!Reflect.ownKeys(map).some((name) => METHODS.has(String(name)))) continue;
      for (const name of Reflect.ownKeys(map)) Reflect.deleteProperty(map, name);
      taken++;
    }
    written.clear();
    if (taken === 0) throw new Error('ng-ssr has replaced no methods: there is nothing to compare');
  });
}

function watch(prototype: object, written: Set<object>): () => void {
  const set = Reflect.get(prototype, 'set') as (key: unknown, value: unknown) => unknown;
  const watched = function (this: object, key: unknown, value: unknown): unknown {
    written.add(this);
    return Reflect.apply(set, this, [key, value]);
  };
  const define = (value: unknown): unknown =>
    Object.defineProperty(prototype, 'set', { value, configurable: true, writable: true });
  define(watched);
  return () => define(set);
}
