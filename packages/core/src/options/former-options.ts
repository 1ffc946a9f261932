import { SsrError } from '../errors.ts';

/** By their former name in full what takes the place of options: the call of a feature, or another name. */
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
  dictionaries: 'withDictionaries()',
  'cache.store': 'withSharedStore(redisPageStore())',
  'cache.buildId': 'withSharedStore(store, { buildId })',
  requestLog: 'withRequestLog({ write: (requests) => log(requests) })',
  builds: "withOldBuilds({ keep: 3, folder: '/var/lib/shop/builds' })",
  calls: "withCalls({ '/api/**': { inProcess: true } })",
  'cache.maxCallBytes': 'withCalls(rules, { maxBytes })',
  locales: "withLocales({ by: ['path', 'accept-language'] })",
  'routeRules[path].lifetime': "freshness: 'calls'",
};

/**
 * Refuses options that have become features, or have another name.
 *
 * @param group - The option that they belong to, as in `cache`. Default: none.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, with the line to write in place of the first.
 */
export function refuseFormerOptions(options: object, group?: string): void {
  for (const each of Object.keys(options)) {
    const name = group === undefined ? each : `${group}.${each}`;
    const kind = name.replace(/\[.*\]/s, '[path]');
    // `prewarm` for `cache.prewarm`: the group is forgotten as easily as that it is a feature.
    const known = [kind, ...(group === undefined ? [`cache.${kind}`] : [])];
    const found = known.find((former) => Object.hasOwn(FORMER_OPTIONS, former));
    if (found === undefined) continue;
    const instead = FORMER_OPTIONS[found]!;
    const [imported] = instead.split('(', 1);
    const advice = instead.includes('(')
      ? `is a feature: write features: [${instead}], and import ${imported} from the package of your adapter`
      : `has another name: write ${instead}`;
    throw new SsrError('NG_SSR_OPTION_UNKNOWN', `the option ${name} ${advice}`);
  }
}
