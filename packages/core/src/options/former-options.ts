import { isOptionObject, readOption } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { otherPlaceOf, toKind } from './other-places.ts';

const WITH_HEAP = 'withRenderThreads({ maxHeapBytes: 512 * 1024 * 1024 })';

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
  slots: 'withSlots({ cart: { fill } })',
  dictionaries: 'withDictionaries()',
  'cache.store': 'withSharedStore(redisPageStore())',
  'cache.buildId': 'withSharedStore(store, { buildId })',
  requestLog: 'withRequestLog({ write: (requests) => log(requests) })',
  builds: "withOldBuilds({ keep: 3, folder: '/var/lib/shop/builds' })",
  calls: "withCalls({ '/api/**': { inProcess: true } })",
  'cache.maxCallBytes': 'withCalls(rules, { maxBytes })',
  locales: "withLocales({ by: ['path', 'accept-language'] })",
  hits: "serveHits: 'before-middleware'",
  'render.workers': 'withRenderThreads({ threads: 2 })',
  'render.threads': 'withRenderThreads({ threads: 2 })',
  'render.maxHeapMb': WITH_HEAP,
  'render.maxHeapBytes': WITH_HEAP,
  'render.recycleAfter': 'withRenderThreads({ recycleAfter: 100_000 })',
  'render.niceness': 'withRenderThreads({ niceness: false })',
  'listen.threads': 'withServerThreads({ threads: 2 })',
  'render.deadlineMs': 'render: { maxWaitMs: 3000 }',
  'render.bots.staleSeconds': 'render: { bots: { maxStale: 3600 } }',
  'withOldBuilds.folders': "previous: ['/app/previous/browser']",
  'withRequestLog.fields': "headers: ['user-agent']",
  'routeRules[path].lifetime': "freshness: 'calls'",
  'routeRules[path].deadlineMs': 'maxWaitMs: 3000',
  'routeRules[path].render': 'ssr, with the same value',
};

/** The groups whose names are looked for together with those of the server. */
const GROUPS = ['cache', 'render'];

/** The names of options in full, with those of the groups `cache` and `render`. */
export function namesOf(options: object, group?: string): readonly string[] {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.keys(given).flatMap((name) => {
    if (group !== undefined) return `${group}.${name}`;
    const inner = GROUPS.includes(name) ? readOption(name, () => given[name]) : undefined;
    return [name, ...(isOptionObject(inner) ? namesOf(inner, name) : [])];
  });
}

/** What takes the place of a former option; undefined for others. */
export function insteadOf(name: string): string | undefined {
  const kind = toKind(name);
  // `prewarm` for `cache.prewarm`: the group is forgotten as easily as that it is a feature.
  const former = [kind, `cache.${kind}`].find((each) => Object.hasOwn(FORMER_OPTIONS, each));
  return former && FORMER_OPTIONS[former];
}

/** Whether what takes the place of an option is the call of a feature, not another name. */
export function isFeature(instead: string): boolean {
  return instead.includes('(');
}

/**
 * Refuses options that have become features, have another name, or belong elsewhere.
 *
 * @param group - The option that they belong to, as in `cache`. Default: none.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, with the line to write in place of all.
 */
export function refuseFormerOptions(options: object, group?: string): void {
  const others: string[] = [];
  const names: string[] = [];
  const features = new Map<string, string>();
  for (const name of namesOf(options, group)) {
    const place = otherPlaceOf(name);
    const instead = insteadOf(name);
    if (place !== undefined) {
      others.push(`there is no option ${name}: write ${place}`);
    } else if (instead !== undefined && !isFeature(instead)) {
      others.push(`the option ${name} has another name: write ${instead}`);
    } else if (instead !== undefined) {
      names.push(name);
      const feature = instead.split('(', 1)[0]!;
      features.set(feature, beside(features.get(feature), instead));
    }
  }
  if (names.length > 0) others.push(describeFeatures(names, features));
  if (others.length > 0) throw new SsrError('NG_SSR_OPTION_UNKNOWN', others.join('; '));
}

/** The call of a feature with the options of two calls; of those without names, the later call. */
function beside(earlier: string | undefined, call: string): string {
  const [feature, options] = call.split('({ ');
  if (options === undefined || !earlier?.startsWith(`${feature}({ `)) return call;
  const isThere = earlier.includes(options.slice(0, -' })'.length));
  return isThere ? earlier : `${earlier.slice(0, -' })'.length)}, ${options}`;
}

function describeFeatures(names: readonly string[], features: ReadonlyMap<string, string>): string {
  const [s, are] = names.length > 1 ? ['s', 'are features'] : ['', 'is a feature'];
  const lines = [...features.values()].join(', ');
  const imported = [...features.keys()].join(', ');
  return `the option${s} ${names.join(', ')} ${are}: write features: [${lines}], and import ${imported} from the package of your adapter`;
}
