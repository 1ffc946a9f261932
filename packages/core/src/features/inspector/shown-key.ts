import { createHmac } from 'node:crypto';
import { withoutSecrets } from '../../without-secrets.ts';
import type { RouteRuleOptions } from '../../pages/options/cache-options.ts';
import { PROCESS_SECRET } from '../../process-secret.ts';

/** Of a digest: enough to tell the values of one header apart. */
const DIGEST_CHARACTERS = 8;

/**
 * A key of the page store for operators. The values of cookies and headers in it may be those of a visitor: in their
 * place are digests, which are equal for equal values and differ in each process. They are keyed: a key that is copied
 * elsewhere gives no value away. Explain makes digests of any value, so that its key can be compared with stored pages;
 * anyone with the token can therefore guess short values.
 *
 * @param key - As `KeyMaker` makes it.
 * @param vary - What the rule of the page has in the key.
 */
export function shownKey(key: string, vary: RouteRuleOptions['vary']): string {
  const [site = '', target = '', ...parts] = key.split('\n');
  const shown = [site, withoutSecrets(target)];
  const named = [
    ...(vary?.cookies ?? []).map((name) => `cookie ${name}`),
    ...(vary?.headers ?? []),
  ];
  // After an empty part come the headers of the page's own Vary, each with its name before it.
  const end = parts.indexOf('');
  const ofRule = end === -1 ? parts : parts.slice(0, end);
  ofRule.forEach((part, at) => shown.push(`${named[at] ?? 'header'}: ${shownPart(part)}`));
  for (let at = end + 1; end !== -1 && at < parts.length; at += 2) {
    shown.push(`${parts[at]}: ${shownPart(parts[at + 1])}`);
  }
  return shown.join('\n');
}

/** `-` is an absent header, `=` stands before a value. */
function shownPart(part = '-'): string {
  if (part === '-') return 'none';
  const digest = createHmac('sha256', PROCESS_SECRET).update(part.slice(1)).digest('hex');
  return `#${digest.slice(0, DIGEST_CHARACTERS)}`;
}
