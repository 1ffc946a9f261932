import { createSign, generateKeyPairSync, verify } from 'node:crypto';

/** A signed session, as providers of OpenID Connect issue them: a JSON Web Token with RS256 (RFC 7519, RFC 7518). */
export interface SignedSession {
  readonly token: string;
  /** Of the key that has signed it, in PEM. */
  readonly publicKey: string;
}

/** Signs a session with a new key of 2,048 bits. */
export function signSession(): SignedSession {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ sub: '1204987515', exp: 4e9 })}`;
  const signature = createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url');
  return {
    token: `${content}.${signature}`,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

/**
 * Who a request's cookie says that its sender is; undefined without a valid session. The key is read from its text
 * each time, as libraries do that are given text.
 */
export function readSession(cookie: string | undefined, publicKey: string): string | undefined {
  const [header, payload, signature] = /session=([^;]*)/.exec(cookie ?? '')?.[1]?.split('.') ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  const content = Buffer.from(`${header}.${payload}`);
  if (!verify('RSA-SHA256', content, publicKey, Buffer.from(signature, 'base64url')))
    return undefined;
  const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    readonly sub: string;
    readonly exp: number;
  };
  return exp * 1000 > Date.now() ? sub : undefined;
}
