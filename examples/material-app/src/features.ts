import { withCalls } from '@ng-ssr/node';
import {
  withInspector,
  withOldBuilds,
  withPublicConfig,
  withPurgeEndpoint,
  withRenderThreads,
  withSharedStore,
} from '@ng-ssr/fetch';
import { redisPageStore } from '@ng-ssr/redis';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { builds } from './builds';
import { calls } from './calls';
import { publicConfig } from './public-config';
import { renderThreads } from './render';
import { slots } from './slots';

const inspectorToken = process.env['SHOP_INSPECTOR_TOKEN'];
const purgeToken = process.env['PURGE_TOKEN'];
const hasSlots = process.env['SLOTS'] !== 'off';
const cluster = process.env['REDIS_CLUSTER'];
const url = process.env['REDIS_URL'];
const file = process.env['SQLITE_FILE'];

const store = cluster
  ? redisPageStore({ cluster: cluster.split(',') })
  : url
    ? redisPageStore({ url })
    : file
      ? sqlitePageStore({ file, maxBytes: 200_000_000 })
      : undefined;

/**
 * For every server: the calls of its pages, threads that render them, files of other builds, what pages know of the
 * stage, the endpoint for purges, where PURGE_TOKEN opens it, the operators' page, where SHOP_INSPECTOR_TOKEN does, and a
 * store of pages: REDIS_URL, or REDIS_CLUSTER with `host:port,host:port`, has all processes share it, SQLITE_FILE those of
 * one machine. SLOTS=off has no cart of the visitor follow the pages.
 */
export const features = [
  withCalls(calls),
  withRenderThreads({ threads: renderThreads }),
  ...(hasSlots ? [slots] : []),
  ...(builds ? [withOldBuilds(builds)] : []),
  ...(publicConfig ? [withPublicConfig(publicConfig)] : []),
  ...(purgeToken ? [withPurgeEndpoint({ path: '/_cache/purge', token: purgeToken })] : []),
  ...(inspectorToken ? [withInspector({ token: inspectorToken })] : []),
  ...(store ? [withSharedStore(store)] : []),
];
