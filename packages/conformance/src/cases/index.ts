import type { ConformanceCase } from '../conformance-case.ts';
import { askedHosts } from './asked-hosts.ts';
import { builds } from './builds.ts';
import { calls } from './calls.ts';
import { encodedFiles } from './encoded-files.ts';
import { connections } from './connections.ts';
import { cookies } from './cookies.ts';
import { dictionaries } from './dictionaries.ts';
import { disconnect } from './disconnect.ts';
import { engineRequest } from './engine-request.ts';
import { errorPages } from './error-pages.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { forwarded } from './forwarded.ts';
import { head } from './head.ts';
import { host } from './host.ts';
import { inspector } from './inspector.ts';
import { invalidation } from './invalidation.ts';
import { largeFiles } from './large-files.ts';
import { largeFilesOnDisk } from './large-files-on-disk.ts';
import { http2 } from './http2.ts';
import { lateCalls } from './late-calls.ts';
import { leaving } from './leaving.ts';
import { methods } from './methods.ts';
import { middleware } from './middleware.ts';
import { negotiation } from './negotiation.ts';
import { pages } from './pages.ts';
import { ports } from './ports.ts';
import { preconditions } from './preconditions.ts';
import { publicConfig } from './public-config.ts';
import { purgeEndpoint } from './purge-endpoint.ts';
import { ranges } from './ranges.ts';
import { renderedEncodings } from './rendered-encodings.ts';
import { renderRules } from './render-rules.ts';
import { slotEndpoint } from './slot-endpoint.ts';
import { slots } from './slots.ts';
import { storedPageKeys } from './stored-page-keys.ts';
import { storedPages } from './stored-pages.ts';
import { storedPagesAfterMiddleware } from './stored-pages-after-middleware.ts';
import { target } from './target.ts';
import { userRoutes } from './user-routes.ts';

/** Every case of the suite, in the order it runs. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...pages,
  ...files,
  ...largeFiles,
  ...largeFilesOnDisk,
  ...builds,
  ...encodedFiles,
  ...host,
  ...ports,
  ...askedHosts,
  ...target,
  ...engineRequest,
  ...forwarded,
  ...preconditions,
  ...negotiation,
  ...renderedEncodings,
  ...dictionaries,
  ...ranges,
  ...head,
  ...methods,
  ...errors,
  ...errorPages,
  ...publicConfig,
  ...leaving,
  ...middleware,
  ...cookies,
  ...userRoutes,
  ...connections,
  ...http2,
  ...disconnect,
  ...storedPages,
  ...storedPageKeys,
  ...storedPagesAfterMiddleware,
  ...slots,
  ...slotEndpoint,
  ...lateCalls,
  ...renderRules,
  ...purgeEndpoint,
  ...inspector,
  ...invalidation,
  ...calls,
];
