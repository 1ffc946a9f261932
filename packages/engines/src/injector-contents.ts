import type { ApplicationRef, ErrorHandler, Injector } from '@angular/core';
import { reportMissing } from './angular-internals.ts';

/** What an injector has for a token. */
interface InjectorRecord {
  /** Undefined for a value that is given. */
  factory?: ((...parameters: readonly unknown[]) => unknown) | undefined;
  /** Another object until the factory has been called. */
  value?: unknown;
}

/**
 * Reads an injector without tokens. The Angular CLI bundles `server.ts` apart from `main.server.ts`,
 * and each locale apart from the others, each with its own copy of Angular: `injector.get(ErrorHandler)`
 * in the server's bundle would look up a class that the application does not provide. Values are
 * recognised by their shape instead, in the map of records of Angular's injectors; an injector without
 * that map counts as empty.
 */
function recordsOf(injector: Injector): Map<unknown, InjectorRecord | null> {
  const { records } = injector as { records?: Map<unknown, InjectorRecord | null> };
  if (records instanceof Map) return records;
  reportMissing('R3Injector#records');
  return NO_RECORDS;
}

const NO_RECORDS = new Map<unknown, null>();

/** The first result of `select` that is not undefined. */
export function findValue<T>(
  injector: Injector,
  select: (value: object) => T | undefined,
): T | undefined {
  for (const record of recordsOf(injector).values()) {
    const value = record?.value;
    const found = typeof value === 'object' && value !== null ? select(value) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What is done with the ErrorHandlers of an injector. */
export type FollowHandler = (handler: ErrorHandler) => void;

/**
 * Follows the values provided for Angular's ErrorHandler. A bundle that contains Angular twice has two such classes.
 *
 * @param isOfRoute - Whether it is the injector of a route: it need not provide one.
 */
export function followErrorHandlers(
  injector: Injector,
  isOfRoute: boolean,
  follow: FollowHandler,
): void {
  const classes: (new () => ErrorHandler)[] = [];
  for (const token of recordsOf(injector).keys()) {
    if (isErrorHandlerClass(token)) classes.push(token);
  }
  if (classes.length === 0 && !isOfRoute) reportMissing('ErrorHandler#_console');
  for (const token of classes) followErrorHandler(injector, token, isOfRoute, follow);
}

/**
 * Follows the value provided for a class of ErrorHandler. That of a route is followed when Angular makes it: most pages
 * of the route never ask for it, and its factory may throw.
 */
export function followErrorHandler(
  injector: Injector,
  token: new () => ErrorHandler,
  isOfRoute: boolean,
  follow: FollowHandler,
): void {
  const record = recordsOf(injector).get(token);
  if (!isOfRoute) {
    const given = injector.get(token);
    const handler = toOpen(given);
    if (record && handler !== given) record.value = handler;
    return follow(handler);
  }
  // The application's, which is followed already.
  if (!record) return;
  const { factory, value } = record;
  if (isErrorHandler(value)) {
    record.value = toOpen(value);
    follow(record.value as ErrorHandler);
  } else if (factory !== undefined) {
    record.factory = (...parameters) => {
      const handler = toOpen(factory(...parameters) as ErrorHandler);
      follow(handler);
      return handler;
    };
  }
}

/** The handler, or where it cannot be followed, because it is frozen for instance, another one in its place. */
function toOpen(handler: ErrorHandler): ErrorHandler {
  const method = Object.getOwnPropertyDescriptor(handler, 'handleError');
  if (Object.isExtensible(handler) && method?.configurable !== false) return handler;
  return Object.create(handler, {
    handleError: { value: (error: unknown) => handler.handleError(error), configurable: true },
  }) as ErrorHandler;
}

function isErrorHandler(value: unknown): value is ErrorHandler {
  return value instanceof Object && 'handleError' in value;
}

/** The ApplicationRef of a bootstrapped NgModule. */
export function findApplicationRef(injector: Injector): ApplicationRef | undefined {
  return findValue(injector, (value) => (isApplicationRef(value) ? value : undefined));
}

/** The part of Angular's Router that is used. */
export interface RouterEvents {
  readonly routerState?: { readonly snapshot: object };
  readonly events: { subscribe(listener: (event: { readonly type: number }) => void): unknown };
}

/** The application's Router, if it has one. */
export function findRouter(injector: Injector): RouterEvents | undefined {
  return findValue(injector, (value) => (isRouter(value) ? value : undefined));
}

/** By class, as their source is long. */
const errorHandlers = new WeakMap<object, boolean>();

/** The body of Angular's own method, in each version so far, minified or not. */
const ANGULARS_TEXT = /\bthis\._console\.error\((["'`])ERROR\1/;

/**
 * Whether a class is Angular's own ErrorHandler, which is the token of an application's handler, too. Services of an
 * application may also have a method of that name, as in Angular's tutorial of HttpClient, or keep the console.
 */
function isErrorHandlerClass(token: unknown): token is new () => ErrorHandler {
  if (typeof token !== 'function') return false;
  const { prototype } = token as { readonly prototype?: object };
  if (prototype === undefined || !Object.hasOwn(prototype, 'handleError')) return false;
  let isAngulars = errorHandlers.get(token);
  if (isAngulars === undefined) {
    isAngulars =
      Object.getPrototypeOf(prototype) === Object.prototype &&
      Reflect.ownKeys(prototype).length === 2 &&
      !Object.hasOwn(token, 'ɵprov') &&
      ANGULARS_TEXT.test(String(token));
    errorHandlers.set(token, isAngulars);
  }
  return isAngulars;
}

function isRouter(value: object): value is RouterEvents {
  return 'events' in value && 'navigateByUrl' in value && 'serializeUrl' in value;
}

function isApplicationRef(value: object): value is ApplicationRef {
  return 'whenStable' in value && 'tick' in value && 'bootstrap' in value && 'attachView' in value;
}
