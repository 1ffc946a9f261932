/** What pages of {@link ./program.ts} do: they pass on tokens in all ways in which applications do. */

/** A visitor's token, in the cookie `sid` or as a bearer token: long enough to be found in any header. */
export const TOKEN = /tok\d+-0123456789\./g;

/** What a page adds to a call, of what its request has, as an interceptor of the application does. */
const SENDS: Record<string, (has: Headers) => Record<string, string>> = {
  nothing: () => ({}),
  service: () => ({ authorization: 'Bearer a-token-of-the-service' }),
  cookie: (has) => headerOf('cookie', has.get('cookie')),
  bearer: (has) => headerOf('authorization', tokenIn(has) && `Bearer ${tokenIn(has)}`),
  custom: (has) => headerOf('x-session', tokenIn(has)),
  authorization: (has) => headerOf('authorization', has.get('authorization')),
};

export const SENT = Object.keys(SENDS);
/** `batch` and `kept` are calls that a module makes for several renders; others are those of one page. */
export const ASKED = ['default', 'same-origin', 'include', 'batch', 'kept'] as const;

/** A call, as the query of a page names it. */
export type Asked = readonly [
  asked: (typeof ASKED)[number],
  sent: string,
  /** A path of the API, or one of the server's own. */
  path: string,
];

function headerOf(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}

function tokenIn(has: Headers): string | null {
  return /sid=([^;]+)/.exec(has.get('cookie') ?? '')?.[1] ?? null;
}

interface Wish {
  readonly key: string;
  readonly resolve: (value: string) => void;
}

/** Of a module: it sends what all renders have asked for within a turn or two as one call. */
class Batcher {
  readonly #api: string;
  #wishes: Wish[] = [];
  #batches = 0;

  constructor(api: string) {
    this.#api = api;
  }

  load(key: string): Promise<string> {
    return new Promise((resolve) => {
      if (this.#wishes.length === 0) setTimeout(() => void this.#dispatch(), 1);
      this.#wishes.push({ key, resolve });
    });
  }

  async #dispatch(): Promise<void> {
    const wishes = this.#wishes;
    this.#wishes = [];
    const init: RequestInit = this.#batches++ % 2 === 0 ? {} : { credentials: 'same-origin' };
    const keys = wishes.map(({ key }) => key).join();
    const text = await textOf(fetch(`${this.#api}/batch?keys=${keys}`, init));
    for (const { key, resolve } of wishes) resolve(`${key} of ${keys}: ${text}`);
  }
}

async function textOf(call: Promise<Response>): Promise<string> {
  try {
    const response = await call;
    return response.ok ? await response.text() : `status ${response.status}`;
  } catch (error) {
    return `failed: ${(error as { code?: string }).code}`;
  }
}

/** How many pages use a promise that the module keeps. */
const KEPT_FOR = 50;

/** Renders `/<kind>/<n>?call=<JSON of Asked>`; the page shows all that its calls have received. */
export function createPages(api: string): (request: Request) => Promise<Response> {
  const batcher = new Batcher(api);
  let kept: Promise<string> | undefined;
  let uses = 0;
  const callOf = ([asked, sent, path]: Asked, has: Headers): Promise<string> => {
    if (asked === 'batch') return batcher.load(path.replace(/\W/g, ''));
    if (asked === 'kept') {
      if (uses++ % KEPT_FOR === 0) kept = undefined;
      return (kept ??= textOf(fetch(`${api}/kept`)));
    }
    const url = path.startsWith('/inner/') ? path : api + path;
    const credentials = asked === 'default' ? {} : { credentials: asked };
    return textOf(fetch(url, { ...credentials, headers: SENDS[sent]!(has) }));
  };
  return async ({ url, headers: has }) => {
    const { pathname, searchParams, host } = new URL(url);
    const calls = searchParams.getAll('call').map((call) => JSON.parse(call) as Asked);
    const shown = await Promise.all(calls.map((call) => callOf(call, has)));
    const kind = pathname.split('/')[1]!;
    // A page that says that it is for everybody shows nothing that was issued to one client.
    const headers = new Headers({ 'content-type': 'text/html' });
    if (kind !== 'life')
      headers.set('cache-control', kind === 'closed' ? 'no-store' : 's-maxage=60');
    return new Response(`<host ${host}> ${shown.join(' | ')}`, { headers });
  };
}
