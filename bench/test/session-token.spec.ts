import { expect, it } from 'vitest';
import { readSession, signSession } from '../src/contestants/session-token.ts';

it('takes a session that was signed with its key, and no other', () => {
  const { token, publicKey } = signSession();
  const cookie = `theme=dark; session=${token}`;
  expect(readSession(cookie, publicKey)).toBe('1204987515');
  expect(readSession(cookie, signSession().publicKey)).toBeUndefined();
  expect(readSession('session=a.b', publicKey)).toBeUndefined();
  expect(readSession(undefined, publicKey)).toBeUndefined();
});
