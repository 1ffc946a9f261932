import { check, checkKey, isOptionObject, keyOf, readOption } from '../../check-option.ts';
import { isSegmentPattern } from '../../http/path-pattern.ts';
import { group, listOf, type Option, optional, withDefault } from '../../options/option.ts';
import { callable, wholeNumber } from '../../options/option-values.ts';

/** What a `fill` gets besides the request. */
export interface FillContext {
  /** Aborted after `timeoutMs`, and when the client leaves. */
  readonly signal: AbortSignal;
  /** The `requestContext` of the server for this request. */
  readonly requestContext: unknown;
}

/** What an `html` gets besides the data and the request. */
export interface IslandContext extends FillContext {
  /** The name of the slot. */
  readonly slot: string;
}

/** A slot: data of one client, for pages that are the same for all. */
export interface SlotOptions<Data = unknown> {
  /** Patterns of the pages that have the slot, as in `routeRules`. Default: `['/**']`. */
  readonly routes?: readonly string[] | undefined;
  /**
   * Whether a request gets the slot, fast and synchronous. Others get the page as it is. Default: requests with a
   * Cookie header.
   */
  readonly when?: ((request: Request) => boolean) | undefined;
  /** Returns the data, as JSON. If it throws, rejects or is too late, the page keeps its fallback. */
  readonly fill: (request: Request, context: FillContext) => Data | Promise<Data>;
  /**
   * HTML of the data for elements with `ngSkipHydration` and `data-slot`, as from `renderIsland()`, within `timeoutMs`.
   * Escape the data; if it fails, only the data is sent. Default: no HTML.
   */
  readonly html?:
    | ((data: Data, request: Request, context: IslandContext) => string | Promise<string>)
    | undefined;
  /** Time until `signal` is aborted and the response ends without the slot, up to 60,000. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

/** A slot with defaults. */
export interface Slot {
  readonly name: string;
  readonly routes: readonly string[];
  /** Undefined: requests with a Cookie header. */
  readonly when: ((request: Request) => boolean) | undefined;
  readonly fill: SlotOptions['fill'];
  readonly html: SlotOptions['html'];
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 2000;
const MOST_TIMEOUT_MS = 60_000;
/** It is an attribute's value, and a name in messages. */
const NAME = /^[a-z][\w-]{0,63}$/i;
const NAMES = 'a name that begins with a letter, of up to 64 letters, digits, "-" and "_"';

const when: Option<Slot['when']> = (name, given) => {
  const isAsync = Object.prototype.toString.call(given) === '[object AsyncFunction]';
  const allowed = 'a synchronous function (request) => boolean';
  check(
    name,
    isAsync ? 'an async function' : given,
    typeof given === 'function' && !isAsync,
    allowed,
  );
  return given as Slot['when'];
};

const slot = group<Omit<Slot, 'name'>>({
  routes: withDefault(
    listOf(
      isPattern,
      'a list of paths that start with "/"; "*" or ":name" matches one segment, "/**" at the end all below; ' +
        'no query and no matrix parameters',
    ),
    ['/**'],
  ),
  when: optional(when),
  fill: callable('a function (request, { signal }) => data or a promise of it'),
  html: optional(callable('a function (data, request, { signal }) => string or a promise of it')),
  timeoutMs: withDefault(wholeNumber(1, MOST_TIMEOUT_MS), DEFAULT_TIMEOUT_MS),
});

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveSlots(given: Readonly<Record<string, SlotOptions>>): readonly Slot[] {
  const allowed =
    'an object of slots by name, as in { cart: { fill: (request) => cartOf(request) } }';
  check('withSlots', given, isOptionObject(given), allowed);
  const names = readOption('withSlots', () => Object.keys(given));
  check('withSlots', given, names.length > 0, allowed);
  return names.map((name) => {
    const path = keyOf('withSlots', name);
    checkKey('withSlots', name, NAME.test(name), NAMES);
    return {
      name,
      ...slot(
        path,
        readOption(path, () => given[name]),
      ),
    };
  });
}

function isPattern(given: unknown): boolean {
  if (typeof given !== 'string' || given[0] !== '/' || /[?#;]/.test(given)) return false;
  return isSegmentPattern(given.split('/'));
}
