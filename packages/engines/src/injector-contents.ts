import type { ApplicationRef, ErrorHandler, Injector } from '@angular/core';
import { reportMissing } from './angular-internals.ts';

/**
 * Reads an injector without tokens. The Angular CLI bundles `server.ts` apart from
 * `main.server.ts`, and each locale apart from the others, every one with an Angular of its own:
 * there, `injector.get(ErrorHandler)` from the server's side asks for a class the application has
 * never heard of. What is looked for is told by its shape instead, in the map that Angular's
 * injectors keep; an injector without that map has no contents.
 */
function recordsOf(injector: Injector): Map<unknown, { value?: unknown } | null> {
  const { records } = injector as { records?: Map<unknown, { value?: unknown } | null> };
  if (records instanceof Map) return records;
  reportMissing('R3Injector#records');
  return NO_RECORDS;
}

const NO_RECORDS = new Map<unknown, null>();

/** The first value that `select` makes something of. */
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

/** What is provided for ErrorHandler and classes like it. */
export function findErrorHandlers(injector: Injector): ErrorHandler[] {
  const classes: (new () => ErrorHandler)[] = [];
  for (const token of recordsOf(injector).keys()) {
    if (isErrorHandlerClass(token)) classes.push(token);
  }
  return classes.map((token) => injector.get(token));
}

/** The ApplicationRef of a bootstrapped NgModule. */
export function findApplicationRef(injector: Injector): ApplicationRef | undefined {
  return findValue(injector, (value) => (isApplicationRef(value) ? value : undefined));
}

/** What is read of Angular's Router. */
export interface RouterEvents {
  readonly events: { subscribe(listener: (event: { readonly type: number }) => void): unknown };
}

/** The Router of an application that has one. */
export function findRouter(injector: Injector): RouterEvents | undefined {
  return findValue(injector, (value) => (isRouter(value) ? value : undefined));
}

function isErrorHandlerClass(token: unknown): token is new () => ErrorHandler {
  return typeof token === 'function' && typeof token.prototype?.handleError === 'function';
}

function isRouter(value: object): value is RouterEvents {
  return 'events' in value && 'navigateByUrl' in value && 'serializeUrl' in value;
}

function isApplicationRef(value: object): value is ApplicationRef {
  return 'whenStable' in value && 'tick' in value && 'bootstrap' in value && 'attachView' in value;
}
