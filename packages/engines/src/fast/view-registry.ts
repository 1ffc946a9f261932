import { NumberedViews } from './numbered-views.ts';

/**
 * Angular has one Map for the views of all renders, which each render fills and empties. V8 replaces the table of
 * such a Map as it grows and shrinks, and a replaced table refers to its successor: once one of them is in the old
 * generation, all later ones, and the views in them, stay until a major collection. Blocks that refer to
 * no other block have no such chain. Of WeakMaps by ApplicationRef, a young collection takes all values as alive.
 */
interface Found {
  readonly views: Map<number, unknown> | undefined;
  readonly ofApplications: ReadonlySet<WeakMap<object, unknown>>;
}

/** A render that has not come to its end by then is no longer watched. */
const MAX_WATCH_MS = 2000;
/** A view is a list that has its own number and at least these many slots. */
const MIN_VIEW_SLOTS = 20;

/** Renders are watched one after another: each restores the methods that it has found. */
let isWatching = false;

/**
 * Watches one render to find the Maps, and replaces their methods at its end.
 *
 * @returns Ends the watch; undefined while another render is watched.
 */
export function watchViewRegistry(): (() => boolean) | undefined {
  if (isWatching) return undefined;
  isWatching = true;
  const { set } = Map.prototype;
  const { set: setWeak } = WeakMap.prototype;
  let views: Map<number, unknown> | undefined;
  const ofApplications = new Set<WeakMap<object, unknown>>();
  const watchedSet = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    if (isView(key, value)) views = this as Map<number, unknown>;
    return set.call(this, key, value);
  };
  const watchedSetWeak = function (this: WeakMap<WeakKey, unknown>, key: WeakKey, value: unknown) {
    if (isApplication(key)) ofApplications.add(this as WeakMap<object, unknown>);
    return setWeak.call(this, key, value);
  };
  Map.prototype.set = watchedSet;
  WeakMap.prototype.set = watchedSetWeak;
  let hasEnded = false;
  const end = (): boolean => {
    if (hasEnded) return false;
    hasEnded = true;
    clearTimeout(timer);
    // Another program may have put its own method there meanwhile.
    if (Map.prototype.set === watchedSet) Map.prototype.set = set;
    if (WeakMap.prototype.set === watchedSetWeak) WeakMap.prototype.set = setWeak;
    isWatching = false;
    return replace({ views, ofApplications });
  };
  const timer = setTimeout(end, MAX_WATCH_MS);
  timer.unref?.();
  return end;
}

function isView(key: unknown, value: unknown): boolean {
  return (
    typeof key === 'number' &&
    Array.isArray(value) &&
    value.length >= MIN_VIEW_SLOTS &&
    isTemplateView(value[1]) &&
    value.includes(key)
  );
}

/** A view refers to what all views of its template share, which has the view that they are copied from. */
function isTemplateView(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'blueprint' in value &&
    Array.isArray(value.blueprint)
  );
}

function isEntry([key, value]: readonly [unknown, unknown]): boolean {
  return typeof key === 'number' && Number.isInteger(key) && Array.isArray(value);
}

function isApplication(key: WeakKey): boolean {
  return (
    typeof key === 'object' &&
    key !== null &&
    'whenStable' in key &&
    'attachView' in key &&
    Object.isExtensible(key)
  );
}

function replace({ views, ofApplications }: Found): boolean {
  if (views !== undefined && !Object.hasOwn(views, 'set') && [...views].every(isEntry))
    keepInBlocks(views);
  for (const map of ofApplications) if (!Object.hasOwn(map, 'set')) keepOnApplications(map);
  return views !== undefined;
}

/** The Map's methods over blocks of views; those that Angular does not use too. */
function keepInBlocks(map: Map<number, unknown>): void {
  const kept = new NumberedViews();
  for (const [key, value] of map) kept.set(key, value);
  map.clear();
  const entries = (): Generator<[number, unknown]> => kept.entries();
  const methods = {
    set(key: number, value: unknown) {
      kept.set(key, value);
      return map;
    },
    get: (key: number) => kept.get(key),
    has: (key: number) => kept.get(key) !== undefined,
    delete: (key: number) => kept.delete(key),
    clear: () => kept.clear(),
    entries,
    [Symbol.iterator]: entries,
    *keys() {
      for (const [key] of entries()) yield key;
    },
    *values() {
      for (const [, value] of entries()) yield value;
    },
    forEach(callback: (value: unknown, key: number, all: unknown) => void) {
      for (const [key, value] of entries()) callback(value, key, map);
    },
  };
  define(map, methods);
  Object.defineProperty(map, 'size', { get: () => kept.size });
}

/** The WeakMap's methods: what belongs to an application is a property of the application. */
function keepOnApplications(map: WeakMap<object, unknown>): void {
  const kept = Symbol('ng-ssr');
  type Application = { [kept]?: { readonly value: unknown } | undefined };
  const { prototype } = WeakMap;
  define(map, {
    set(key: WeakKey, value: unknown) {
      if (!isApplication(key)) return prototype.set.call(map, key, value);
      (key as Application)[kept] = { value };
      return map;
    },
    // Applications of renders that had begun before are still in the WeakMap.
    get(key: WeakKey) {
      const found = isApplication(key) ? (key as Application)[kept] : undefined;
      return found === undefined ? prototype.get.call(map, key) : found.value;
    },
    has(key: WeakKey) {
      const isKept = isApplication(key) && (key as Application)[kept] !== undefined;
      return isKept || prototype.has.call(map, key);
    },
    delete(key: WeakKey) {
      const had = isApplication(key) && (key as Application)[kept] !== undefined;
      if (had) (key as Application)[kept] = undefined;
      return prototype.delete.call(map, key) || had;
    },
  });
}

function define(target: object, methods: object): void {
  for (const name of Reflect.ownKeys(methods)) {
    const value: unknown = Reflect.get(methods, name);
    Object.defineProperty(target, name, { value, configurable: true });
  }
}
