import type { Check } from '../check.ts';

/** Codes, and beginnings of messages, that checks of their own explain. */
const EXPLAINED = [
  'NG_SSR_HOSTS_MISSING',
  'NG_SSR_PACK_STALE',
  'NG_SSR_PACK_INVALID',
  'NG_SSR_ADDON_UNAVAILABLE',
  'NG_SSR_ANGULAR_CHANGED',
];

/** What the server itself reports at its start, beside that for which there is a check. */
export const checkNotices: Check = ({ server }) =>
  (server?.description?.notices ?? [])
    .filter(
      ({ code, message }) =>
        !EXPLAINED.includes(code) &&
        !message.includes('withOldBuilds.previous') &&
        !message.startsWith('withLocales() has no effect') &&
        !message.includes('looks like a secret'),
    )
    .map(({ code, message }) => ({
      id: 'notice',
      severity: 'warning',
      found: `${code}: ${message}`,
      why: 'The server reports it at each start.',
      fix: 'see the message',
    }));
