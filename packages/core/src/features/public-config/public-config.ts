import { createHash } from 'node:crypto';
import { SsrError } from '../../errors.ts';
import { toPublicJson } from './public-json.ts';

/** The public configuration of a server, ready to be put into documents. */
export interface PublicConfigElement {
  /** A script element, in ASCII. Its type is no script's, so no Content-Security-Policy concerns it. */
  readonly html: string;
  /** A hash of it: pages that were rendered with another configuration are other pages. */
  readonly hash: string;
  /** Members that look like secrets, to be reported. */
  readonly suspects: readonly string[];
}

/**
 * @param isBuilt - Whether the server has a build on disk. While `ng build` and `ng serve` run the program,
 * variables of the stage may be missing: members that are undefined are left out.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function toPublicConfigElement(config: object, isBuilt: boolean): PublicConfigElement {
  const { json, suspects } = toPublicJson('withPublicConfig', config, !isBuilt);
  const html = `<script type="application/json" id="ng-ssr-config">${json}</script>`;
  const hash = createHash('sha256').update(html).digest('hex').slice(0, 16);
  return { html, hash, suspects };
}

export function noticeOfSuspects(suspects: readonly string[]): SsrError {
  const message =
    `${suspects.join(', ')}: looks like a secret, and anyone can read withPublicConfig() in every page. Keep ` +
    'secrets on the server. If the value is public, rename it.';
  return new SsrError('NG_SSR_PUBLIC_CONFIG_NOTICE', message);
}
