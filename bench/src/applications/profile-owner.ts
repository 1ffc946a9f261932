import type { Place } from './original-places.ts';
import type { Frame } from './take-profile.ts';

/** The owners that each application has, in the order of the table. Libraries and unknown code have names of their own. */
export const OWNERS = {
  angular: 'Angular, router, rxjs',
  zone: 'zone.js',
  node: "Node's modules, HTTP client",
  application: 'application',
  dom: 'DOM and writer',
  criticalCss: 'critical CSS',
  ours: "ng-ssr's others",
  bench: 'the measurement',
  collector: 'garbage collector',
  v8: "V8's builtins, (program)",
} as const;

/** By source; the first that matches is the owner. */
const BY_SOURCE: readonly (readonly [pattern: RegExp, owner: string])[] = [
  // What Beasties consists of, and what finds the selectors that match.
  [
    /node_modules\/(beasties|postcss[\w-]*|css-select|css-what|htmlparser2|dom(elementtype|handler|utils|-serializer)|nth-check|boolbase|entities)\//,
    OWNERS.criticalCss,
  ],
  [/@ng-ssr\/dom\/dist\/bytes\/selector/, OWNERS.criticalCss],
  [
    /@ng-ssr\/engines\/dist\/fast\/(beasties|critical-css|(built|compact)-plans|(app|page)-styles)\./,
    OWNERS.criticalCss,
  ],
  [/\/domino\/|@ng-ssr\/dom\//, OWNERS.dom],
  [/node_modules\/@ng-ssr\//, OWNERS.ours],
  [/node_modules\/zone\.js\//, OWNERS.zone],
  // Also sources as Angular's own source maps name them, and modules that its builder generates.
  [
    /node_modules\/@angular\/(?!aria|cdk|material)|\/bin\/packages\/|^angular:|\/angular-app(-engine)?-manifest\.mjs|node_modules\/(rxjs|tslib)\//,
    OWNERS.angular,
  ],
  // `fetch` reads HTTP by WebAssembly.
  [/^(node|wasm):|node_modules\/xhr2\//, OWNERS.node],
  [/\/bench-sides\/|\/bench\/src\//, OWNERS.bench],
];

/** Whose time it is when V8 finds a thread in a function. */
export function ownerOf({ functionName, url }: Frame, { source }: Place): string {
  if (functionName === '(garbage collector)') return OWNERS.collector;
  if (url === '') return OWNERS.v8;
  if (source === undefined) return 'unknown: code without a source';
  const owner = BY_SOURCE.find(([pattern]) => pattern.test(source))?.[1];
  if (owner !== undefined) return owner;
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
  if (library !== undefined) return `library ${library}`;
  return source === url ? `unknown: ${baseName(url)}` : OWNERS.application;
}

/** Where a function is, without the folders that say nothing. */
export function shortPlace({ url }: Frame, { source, line }: Place): string {
  if (url === '') return 'V8';
  const path = (source ?? url)
    .replace(/.*(?:node_modules|\/bin)\//, '')
    .replace(/.*\/src\//, 'src/');
  return source === undefined ? `${baseName(url)}, unmapped` : `${path}:${line}`;
}

function baseName(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
