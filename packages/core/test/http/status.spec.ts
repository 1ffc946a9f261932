import { STATUS_CODES } from 'node:http';
import { expect, it } from 'vitest';
import { hasContent, isFinalStatus, STATUS_TEXT } from '../../src/http/status.ts';
import { ERROR_CODES } from '../../src/error-codes.ts';

it('RFC 9110 section 15: 200 to 599 are final statuses', () => {
  const final = Array.from({ length: 1200 }, (_, status) => status).filter(isFinalStatus);
  expect(final).toEqual(Array.from({ length: 400 }, (_, at) => 200 + at));
});

it.each([200.5, -200, Number.NaN, Number.POSITIVE_INFINITY, '200', 200n, null, undefined, [200]])(
  'RFC 9110 section 15: %s is no status',
  (status) => {
    expect(isFinalStatus(status)).toBe(false);
  },
);

it('RFC 9110 section 6.4.1: 204, 205 and 304 have no content, and a Response agrees', () => {
  for (let status = 200; status <= 599; status++) {
    const isBodyAllowed = (): boolean => {
      try {
        return new Response('x', { status }).status === status;
      } catch {
        return false;
      }
    };
    expect(hasContent(status), String(status)).toBe(isBodyAllowed());
  }
});

it('RFC 9110 section 15: reason phrases are those of node:http', () => {
  for (const [status, text] of Object.entries(STATUS_TEXT)) {
    expect(text).toBe(STATUS_CODES[status]);
  }
});

it('each refusal has a reason phrase', () => {
  // The inspector's, behind HTTP Basic, is no status of a code.
  const statuses = new Set<number>([...Object.values(ERROR_CODES), 403]);
  expect([...statuses].filter((status) => !Object.hasOwn(STATUS_TEXT, status))).toEqual([]);
});
