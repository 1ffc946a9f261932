/** The key in `sessionStorage`: of a tab, for all its documents of the origin. */
const KEY = 'ng-ssr-skew';

/** So long, in milliseconds, the same build is not left for the same address again. */
const HOLDS_MS = 5 * 60 * 1000;

/**
 * So many times documents are left within that time. More are a loop that no address shows, such as that of a page that
 * makes a new query each time it starts.
 */
const MOST = 10;

/** A document that was left for an address because a script of its build was lost. */
interface Reload {
  readonly url: string;
  readonly build: string;
  readonly atMs: number;
}

/**
 * Whether a document may be left for an address. The same build and address a second time are a loop: the server, or a
 * cache in front of it, still has the old document. So are too many of any kind. Without storage nothing could tell, so
 * nothing is left.
 */
export function mayReload(storage: () => Storage, url: string, build: string): boolean {
  const reloads = read(storage);
  if (reloads === undefined || reloads.length >= MOST) return false;
  return !reloads.some((each) => each.url === url && each.build === build);
}

/** Remembers that a document is left. */
export function noteReload(storage: () => Storage, url: string, build: string): void {
  const reloads = read(storage) ?? [];
  const all = [...reloads, { url, build, atMs: Date.now() }];
  try {
    storage().setItem(KEY, JSON.stringify(all));
  } catch {
    // It was there a moment ago, or `mayReload` had said no.
  }
}

/** @returns undefined where there is no storage, or none that can be written. */
function read(storage: () => Storage): readonly Reload[] | undefined {
  try {
    const store = storage();
    const text = store.getItem(KEY) ?? '[]';
    store.setItem(KEY, text);
    return parse(text).filter(({ atMs }) => Math.abs(Date.now() - atMs) < HOLDS_MS);
  } catch {
    return undefined;
  }
}

function parse(text: string): readonly Reload[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isReload) : [];
  } catch {
    return [];
  }
}

function isReload(value: unknown): value is Reload {
  const { url, build, atMs } = (value ?? {}) as Partial<Record<keyof Reload, unknown>>;
  return typeof url === 'string' && typeof build === 'string' && typeof atMs === 'number';
}
