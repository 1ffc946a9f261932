import { check, hasFunctions, readOption } from '../../check-option.ts';
import { SsrError } from '../../errors.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import type { Edge } from './edge.ts';
import { EdgeHeaders } from './edge-headers.ts';
import { EdgePurges } from './edge-purges.ts';

/**
 * Lets the CDN in front of this server keep the pages that the server caches, and purges them there too.
 *
 * @param edge - `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()` of `@ng-ssr/edge`.
 *
 * @example
 * ```ts
 * features: [withEdge(varnishEdge({ url: 'http://127.0.0.1:6081', token: process.env['VARNISH_PURGE_TOKEN'] }))]
 * ```
 */
export function withEdge(edge: Edge): Feature {
  const base = { name: 'edge', isForClients: true, isForNode: true };
  return perServer(base, ({ isBuilt, isStored }) => {
    readOption('withEdge', () => check('withEdge', edge, isEdge(edge), ALLOWED));
    const hasSecrets = assertSecrets(edge, isBuilt);
    if (!isBuilt || !hasSecrets) return {};
    const headers = new EdgeHeaders(edge);
    return {
      trait: headers,
      traitStage: 'downstream',
      install: ({ onError }): OwnExtension => {
        // Without stored pages the edge gets none to keep.
        if (!isStored) return {};
        const purges = new EdgePurges(edge, headers.offered, onError);
        return { downstream: purges, close: () => purges.close() };
      },
    };
  });
}

const ALLOWED =
  'an edge: varnishEdge(), fastlyEdge(), cloudflareEdge() or netlifyEdge() of @ng-ssr/edge';

/** @returns false for an edge without its secrets, where these may be missing. */
function assertSecrets(edge: Edge, isBuilt: boolean): boolean {
  const [name] = edge.missingOptions ?? [];
  if (name === undefined) return true;
  if (!isBuilt) return false;
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${name} is missing. Set the environment variable that you pass to it`,
  );
}

function isEdge(edge: unknown): boolean {
  if (!hasFunctions(edge, ['headersOf', 'purge'])) return false;
  const { name, settleMs, noStoreHeaders } = edge as Edge;
  const isTime = Number.isInteger(settleMs) && settleMs >= 0;
  return typeof name === 'string' && isTime && Array.isArray(noStoreHeaders);
}
