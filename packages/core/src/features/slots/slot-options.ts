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
  /**
   * Returns the data, as JSON. If it throws, rejects or is too late, the page keeps its fallback. Default: the response of your own
   * route to `call`, with the visitor's cookies.
   */
  readonly fill?: ((request: Request, context: FillContext) => Data | Promise<Data>) | undefined;
  /**
   * The URL of a GET with HttpClient that gets the data, by `lateCalls` of `@ng-ssr/angular`: a path, or with `fill` also an
   * absolute URL. Default: none; components use `slot()`.
   */
  readonly call?: string | undefined;
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

export type Fill = NonNullable<SlotOptions['fill']>;

/** A slot with defaults. */
export interface Slot {
  readonly name: string;
  readonly routes: readonly string[];
  /** Undefined: requests with a Cookie header. */
  readonly when: ((request: Request) => boolean) | undefined;
  readonly fill: Fill;
  /** As a URL parser writes it; without the origin for the page's own. */
  readonly call: string | undefined;
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

/** What ends a URL in the list that documents have, besides characters that it must escape. */
const URL_OR_PATH = /^(?:https?:\/\/[^\s/]|\/(?![/\\]))[^\s#]*$/;

const call: Option<string | undefined> = (name, given) => {
  if (given === undefined) return undefined;
  const isUrl = typeof given === 'string' && URL_OR_PATH.test(given) && URL.canParse(given, OWN);
  check(name, given, isUrl, 'a path such as "/api/cart", or a URL of http or https, without "#"');
  const { href } = new URL(given as string, OWN);
  return href.startsWith(`${OWN}/`) ? href.slice(OWN.length) : href;
};
/** Stands for the page's own origin. */
const OWN = 'http://own.invalid';

const FILL = 'a function (request, { signal }) => data or a promise of it';

const slot = group<Omit<Slot, 'name' | 'fill'> & Pick<SlotOptions, 'fill'>>({
  routes: withDefault(
    listOf(
      isPattern,
      'a list of paths that start with "/"; "*" or ":name" matches one segment, "/**" at the end all below; ' +
        'no query and no matrix parameters',
    ),
    ['/**'],
  ),
  when: optional(when),
  fill: optional(callable(FILL)),
  call,
  html: optional(callable('a function (data, request, { signal }) => string or a promise of it')),
  timeoutMs: withDefault(wholeNumber(1, MOST_TIMEOUT_MS), DEFAULT_TIMEOUT_MS),
});

/**
 * @param fillOf - What fills a slot that has a path to call, and no `fill`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveSlots(
  given: Readonly<Record<string, SlotOptions>>,
  fillOf: (name: string, call: string) => Fill,
): readonly Slot[] {
  const allowed =
    'an object of slots by name, as in { cart: { fill: (request) => cartOf(request) } }';
  check('withSlots', given, isOptionObject(given), allowed);
  const names = readOption('withSlots', () => Object.keys(given));
  check('withSlots', given, names.length > 0, allowed);
  const calls = new Set<string>();
  return names.map((name) => {
    const path = keyOf('withSlots', name);
    checkKey('withSlots', name, NAME.test(name), NAMES);
    const resolved = slot(
      path,
      readOption(path, () => given[name]),
    );
    const { fill, call: called } = resolved;
    const isFilled = fill !== undefined || called?.startsWith('/') === true;
    check(`${path}.fill`, fill, isFilled, `${FILL}. Only a slot whose call is a path needs none`);
    const isOnly = called === undefined || !calls.has(called);
    check(`${path}.call`, called, isOnly, 'a URL that is not the call of another slot');
    if (called !== undefined) calls.add(called);
    return { ...resolved, name, fill: fill ?? fillOf(name, called!) };
  });
}

function isPattern(given: unknown): boolean {
  if (typeof given !== 'string' || given[0] !== '/' || /[?#;]/.test(given)) return false;
  return isSegmentPattern(given.split('/'));
}
