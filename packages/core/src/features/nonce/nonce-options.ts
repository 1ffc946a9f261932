import { check } from '../../check-option.ts';
import { isHeaderValue } from '../../http/header-syntax.ts';
import { text } from '../../options/option-values.ts';
import { group, option } from '../../options/option.ts';

/** Options of `withNonce()`. */
export interface NonceOptions {
  /** Text in your pages that each response replaces with a nonce: at least 8 characters of base64. */
  readonly placeholder: string;
  /** The Content-Security-Policy, with the placeholder as its nonce. */
  readonly policy: string;
}

const MOST_SHOWN = 100;

const nonce = group<NonceOptions>(
  {
    placeholder: text(/^[\w+/=-]{8,}$/, '8 or more characters of base64'),
    policy: option<string>(() => true, ''),
  },
  'an object with placeholder and policy',
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveNonceOptions(given: NonceOptions): NonceOptions {
  const checked = nonce('withNonce', given);
  const { placeholder, policy } = checked;
  const hasPlaceholder = typeof policy === 'string' && policy.includes(`'nonce-${placeholder}'`);
  const allowed = `a policy that contains 'nonce-${placeholder.slice(0, MOST_SHOWN)}'`;
  check('withNonce.policy', policy, hasPlaceholder, allowed);
  check(
    'withNonce.policy',
    policy,
    isHeaderValue(policy),
    'a header value: no line breaks, Latin-1',
  );
  return checked;
}
