import { platform } from '#platform';

/**
 * A thrown value as text for people: an error's stack, the name and message of an object that looks like an
 * error (HttpErrorResponse is no Error), the content of any other value. Never throws.
 */
export function describeError(thrown: unknown): string {
  const stack = isError(thrown) ? readMember(thrown, 'stack') : undefined;
  if (typeof stack === 'string' && stack !== '') return stack;
  return nameAndMessage(thrown) ?? show(thrown);
}

/** The same in one line, with the URL of the failed request if the error has it. */
export function describeBriefly(thrown: unknown): string {
  const [line = ''] = (nameAndMessage(thrown) ?? show(thrown)).split('\n', 1);
  const url = readMember(thrown, 'url');
  return typeof url !== 'string' || line.includes(url) ? line : `${line} (${url})`;
}

/** Whether a thrown value is an Error. Never throws: to ask a proxy may, as one that is revoked does. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** The message of an error, or what was thrown in its place. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function nameAndMessage(thrown: unknown): string | undefined {
  const message = readMember(thrown, 'message');
  if (typeof message !== 'string') return undefined;
  const name = readMember(thrown, 'name');
  return typeof name === 'string' && name !== '' ? `${name}: ${message}` : message;
}

/** Undefined if there is no such property, or its getter throws. */
export function readMember(thrown: unknown, property: string): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return (thrown as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

function show(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    return platform.show(thrown as object);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
