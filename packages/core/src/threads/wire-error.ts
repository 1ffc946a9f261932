import { describeError } from '../describe-error.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';

/** A thrown value as plain data: a structured clone would lose codes, names and causes. */
export interface WireError {
  /** Undefined for a value that is no Error. */
  readonly name: string | undefined;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
  readonly cause: WireError | undefined;
}

/** Causes may be cyclic. */
const MAX_CAUSES = 8;

export function toWireError(thrown: unknown, depth = 0): WireError {
  if (!(thrown instanceof Error)) {
    return {
      name: undefined,
      message: describeError(thrown),
      stack: undefined,
      code: undefined,
      cause: undefined,
    };
  }
  const name = read(thrown, 'name');
  const message = read(thrown, 'message');
  const stack = read(thrown, 'stack');
  const cause = read(thrown, 'cause');
  const code = read(thrown, 'code');
  return {
    name: show(name),
    message: show(message),
    stack: stack === undefined ? undefined : show(stack),
    code: typeof code === 'string' ? code : undefined,
    cause: cause === undefined || depth === MAX_CAUSES ? undefined : toWireError(cause, depth + 1),
  };
}

/** The SsrError that {@link toWireError} was given, with its original stack. */
export function toSsrError({ code, message, stack, cause }: WireError): SsrError {
  const options = cause === undefined ? {} : { cause: toThrown(cause) };
  const error = new SsrError((code ?? 'NG_SSR_RENDER_FAILED') as SsrErrorCode, message, options);
  return Object.assign(error, { stack });
}

function toThrown(plain: WireError): unknown {
  const { name, message, stack, code, cause } = plain;
  if (name === undefined) return message;
  if (name === 'SsrError' && code?.startsWith('NG_SSR_')) return toSsrError(plain);
  const error = new Error(message, cause === undefined ? {} : { cause: toThrown(cause) });
  for (const [key, value] of Object.entries({ name, stack, code })) {
    if (value === undefined) continue;
    Object.defineProperty(error, key, { value, writable: true, configurable: true });
  }
  return error;
}

/** A getter may throw, and the error must still be reported. */
function read(thrown: Error, property: string): unknown {
  try {
    return (thrown as unknown as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

function show(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
