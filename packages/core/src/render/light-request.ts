import type { Exchange } from '../exchange.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { isWithheld, toRequest } from './to-request.ts';

/**
 * The request of {@link toRequest} for a synchronous function that reads little of it: a Request takes longer than a hit.
 * Each member is that of a real Request, which is made when anything else than its method, URL or a header is read.
 *
 * A runtime does not find its own private fields in it: `new Request(request)` throws. If the function throws, a caller
 * should call it again with {@link toRequest}.
 */
export function lightRequest(
  exchange: Exchange,
  url: string,
  isTrusted: ProxyHeaderPredicate,
): Request {
  create ??= prepare() ? createLight : toRequest;
  return create(exchange, url, isTrusted);
}

let create: typeof toRequest | undefined;

const createLight: typeof toRequest = (exchange, url, isTrusted) =>
  new LightRequest(new Later(exchange, url, isTrusted)) as unknown as Request;

/** A Request that may still be needed. */
class Later {
  readonly exchange: Exchange;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly #url: string;
  #href: string | undefined;
  #request: Request | undefined;

  constructor(exchange: Exchange, url: string, isTrusted: ProxyHeaderPredicate) {
    this.exchange = exchange;
    this.isTrusted = isTrusted;
    this.#url = url;
  }

  get isMade(): boolean {
    return this.#request !== undefined;
  }

  get href(): string {
    return (this.#href ??= new URL(this.#url).href);
  }

  get request(): Request {
    return (this.#request ??= toRequest(this.exchange, this.#url, this.isTrusted));
  }
}

class LightRequest {
  readonly #later: Later;
  #headers: LightHeaders | undefined;

  constructor(later: Later) {
    this.#later = later;
  }

  static realOf(light: LightRequest): Request {
    return light.#later.request;
  }

  get method(): string {
    return 'GET';
  }

  get url(): string {
    return this.#later.href;
  }

  get headers(): LightHeaders {
    return (this.#headers ??= new LightHeaders(this.#later));
  }
}

class LightHeaders {
  readonly #later: Later;

  constructor(later: Later) {
    this.#later = later;
  }

  static realOf(light: LightHeaders): Headers {
    return light.#later.request.headers;
  }

  get(name: string): string | null {
    const value = this.#read(name);
    return value === undefined ? this.#later.request.headers.get(name) : value;
  }

  has(name: string): boolean {
    const value = this.#read(name);
    return value === undefined ? this.#later.request.headers.has(name) : value !== null;
  }

  /** Undefined if only a real Request knows: it has been made, and may have been changed, or it would have to judge. */
  #read(given: unknown): string | null | undefined {
    if (this.#later.isMade || typeof given !== 'string' || !NAME.test(given)) return undefined;
    const { exchange, isTrusted } = this.#later;
    const name = given.toLowerCase();
    if (isWithheld(name, isTrusted)) return null;
    const value = exchange.header(name);
    if (value === undefined) return null;
    if (name === 'host') return new URL(this.#later.href).host;
    // A Request joins the lines of this one header in another way.
    const isOfLines = name === 'cookie' && value.includes(', ');
    return isOfLines || !isPlain(value) ? undefined : value;
  }
}

/** A token in ASCII (RFC 9110 section 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** What Headers refuse, and spaces around commas, which may be those of a line that they would trim. */
const OTHER = /[^\t\x20-\x7e\x80-\xff]|[\t ],|, [\t ]/;

/** Whether Headers take a value as it is. */
function isPlain(value: string): boolean {
  const isTrimmed = value.charCodeAt(0) > 0x20 && value.charCodeAt(value.length - 1) > 0x20;
  return value === '' || (isTrimmed && !OTHER.test(value));
}

/** @returns whether light requests can be used: not where the runtime would take one for a request without content. */
function prepare(): boolean {
  standIn(LightRequest.prototype, Request.prototype, LightRequest.realOf);
  standIn(LightHeaders.prototype, Headers.prototype, LightHeaders.realOf);
  const light = createLight(SAMPLE, 'http://localhost/', () => false);
  try {
    new Request(light);
    return false;
  } catch {
    return new Headers(light.headers).get('accept') === '*/*';
  }
}

const SAMPLE = {
  header: () => '*/*',
  headers: () => [['accept', '*/*']],
} as unknown as Exchange;

/** Gives a prototype all members of the one that it stands for. */
function standIn<Light extends object, Real extends object>(
  light: Light,
  real: Real,
  realOf: (light: Light) => Real,
): void {
  Object.setPrototypeOf(light, real);
  Reflect.deleteProperty(light, 'constructor');
  for (const name of Reflect.ownKeys(real)) {
    if (name === 'constructor') continue;
    const { value, get, enumerable = false } = Object.getOwnPropertyDescriptor(real, name)!;
    const member = { enumerable, configurable: true };
    if (Object.hasOwn(light, name)) Object.defineProperty(light, name, { enumerable });
    else if (get !== undefined) {
      Object.defineProperty(light, name, {
        ...member,
        get(this: Light) {
          return Reflect.apply(get, realOf(this), []) as unknown;
        },
      });
    } else if (typeof value === 'function') {
      const call = value as (...given: unknown[]) => unknown;
      Object.defineProperty(light, name, {
        ...member,
        writable: true,
        value(this: Light, ...given: unknown[]) {
          return Reflect.apply(call, realOf(this), given);
        },
      });
    }
  }
}
