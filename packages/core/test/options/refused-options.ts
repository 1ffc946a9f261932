import { SsrError } from '@ng-ssr/core';
import { expect } from 'vitest';
import { storedServer } from '../pages/stored-server.ts';

/** What is wrong, and how the message begins: the option, the value, and what is allowed. */
export type Refusal = readonly [options: unknown, option: string, value: string, allowed: string];

/** The error of a server with these options. */
export function refusalOf(options: object): SsrError {
  try {
    storedServer(() => null, options);
  } catch (error) {
    expect(error).toBeInstanceOf(SsrError);
    return error as SsrError;
  }
  throw new Error(`it was taken: ${JSON.stringify(options)}`);
}

export function expectRefused(
  options: object,
  option: string,
  value: string,
  allowed: string,
): void {
  const { code, message } = refusalOf(options);
  expect([code, message]).toEqual(['NG_SSR_OPTION_INVALID', message]);
  const [given, ...rest] = message.split('; allowed: ');
  expect(given?.startsWith(`${option} is `), message).toBe(true);
  expect(given).toContain(value);
  expect(rest.join()).toContain(allowed);
}
