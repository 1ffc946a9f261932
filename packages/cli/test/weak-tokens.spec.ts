import { expect, test } from 'vitest';
import type { Facts } from '../dist/doctor/facts/facts.js';
import { checkSecrets } from '../dist/doctor/checks/secrets.js';

/** The ids of what the doctor finds about a token. */
function findingsOf(token: string): string[] {
  const endpoint = {
    ...{ feature: 'withPurgeEndpoint', path: '/purge', tokenFile: undefined },
    ...{ tokenCharacters: token.length, tokenVariety: new Set(token).size },
  };
  const server = { description: { endpoints: [endpoint], notices: [] } };
  return checkSecrets({ server } as unknown as Facts).map(({ id }) => id);
}

test.each([
  ['a random one', 'q3vXk0_mT8zLw-R5bYc1Ha', []],
  ['a long one of few characters', 'operator'.repeat(5), ['token-weak']],
  ['a short one of many characters', 'q3vXk0_mT8zLw-R5bYc1', ['token-weak']],
  ['a short one of few characters', 'aaaaaaaabbbbbbbb', ['token-weak']],
])('%s', (_name, token, expected) => {
  expect(findingsOf(token)).toEqual(expected);
});
