import { SsrError } from '../errors.ts';

/** Options that have become features: by their former name in full, the call that takes their place. */
const FORMER_OPTIONS: Readonly<Record<string, string>> = {
  inspector: "withInspector({ path: '/_ops', token })",
  earlyHints: 'withEarlyHints()',
  speculationRules: 'withSpeculationRules()',
  publicConfig: "withPublicConfig({ apiUrl: process.env['API_URL'] })",
  'cache.nonce': 'withNonce({ placeholder, policy })',
  'cache.edge': 'withEdge(varnishEdge({ url, token }))',
  'cache.prewarm': "withPrewarm({ paths: ['/'], origin: 'https://shop.example' })",
  'cache.purgeEndpoint': "withPurgeEndpoint({ path: '/_ng-ssr/purge', token })",
  serverTiming: 'withServerTiming()',
  requestLog: 'withRequestLog({ write: (requests) => log(requests) })',
};

/**
 * Refuses options that have become features.
 *
 * @param group - The option that they belong to, as in `cache`. Default: none.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, with the line to write in place of the first.
 */
export function refuseFormerOptions(options: object, group?: string): void {
  for (const each of Object.keys(options)) {
    const name = group === undefined ? each : `${group}.${each}`;
    if (!Object.hasOwn(FORMER_OPTIONS, name)) continue;
    const call = FORMER_OPTIONS[name]!;
    const [imported] = call.split('(', 1);
    const line = `write features: [${call}], and import ${imported} from the package of your adapter`;
    throw new SsrError('NG_SSR_OPTION_UNKNOWN', `the option ${name} is a feature: ${line}`);
  }
}
