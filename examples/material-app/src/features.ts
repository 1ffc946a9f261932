import {
  withCalls,
  withInspector,
  withOldBuilds,
  withPublicConfig,
  withPurgeEndpoint,
} from '@ng-ssr/fetch';
import { builds } from './builds';
import { calls } from './calls';
import { publicConfig } from './public-config';

const inspectorToken = process.env['SHOP_INSPECTOR_TOKEN'];
const purgeToken = process.env['PURGE_TOKEN'];

/**
 * For every server: the calls of its pages, files of other builds, what pages know of the stage, the endpoint for purges, where PURGE_TOKEN opens
 * it, and the operators' page, where SHOP_INSPECTOR_TOKEN does.
 */
export const features = [
  withCalls(calls),
  ...(builds ? [withOldBuilds(builds)] : []),
  ...(publicConfig ? [withPublicConfig(publicConfig)] : []),
  ...(purgeToken ? [withPurgeEndpoint({ path: '/_cache/purge', token: purgeToken })] : []),
  ...(inspectorToken ? [withInspector({ token: inspectorToken })] : []),
];
