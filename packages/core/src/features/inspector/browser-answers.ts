import type { Answer, Exchange } from '../../exchange.ts';
import { toAnswer, toChallenge } from './answers.ts';
import { SCRIPT, STYLE } from './page-assets.ts';
import { toShell, toSignIn } from './shell.ts';

/** The page needs its own script, style and endpoints, and nothing else. It takes the place of an application's policy. */
const POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "form-action 'self'"],
  ...["frame-ancestors 'none'", "base-uri 'none'"],
].join('; ');

const OF_DOCUMENT = [
  ...['Content-Security-Policy', POLICY, 'X-Frame-Options', 'DENY'],
  ...['Cross-Origin-Opener-Policy', 'same-origin', 'Cross-Origin-Resource-Policy', 'same-origin'],
];

/** @param root - The inspector's path as the client has it. */
export function answerWithShell(root: string): Answer {
  return toAnswer(200, 'text/html; charset=utf-8', toShell(root), OF_DOCUMENT);
}

/** @param hasFailed - Whether a token was given, and was another one. */
export function askToSignIn(root: string, exchange: Exchange, hasFailed: boolean): Answer {
  const { status, headers } = toChallenge(exchange);
  const page = toSignIn(root, hasFailed);
  return toAnswer(status, 'text/html; charset=utf-8', page, [...headers, ...OF_DOCUMENT]);
}

export function answerWithScript(): Answer {
  return toAnswer(200, 'text/javascript; charset=utf-8', SCRIPT);
}

export function answerWithStyle(): Answer {
  return toAnswer(200, 'text/css; charset=utf-8', STYLE);
}

/** Back to the page, with a cookie set or removed. */
export function leadBack(root: string, cookie: string): Answer {
  const location = `../${root.slice(root.lastIndexOf('/') + 1)}`;
  return toAnswer(303, 'text/plain; charset=utf-8', '', [
    'Location',
    location,
    'Set-Cookie',
    cookie,
  ]);
}
