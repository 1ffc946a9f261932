import { withCalls, withInspector, withPublicConfig, withPurgeEndpoint } from '@ng-ssr/fetch';
import { calls } from './calls';
import { publicConfig } from './public-config';

const inspectorToken = process.env['SHOP_INSPECTOR_TOKEN'];
const purgeToken = process.env['PURGE_TOKEN'];

/**
 * For every server: the calls of its pages, what they know of the stage, the endpoint for purges, where PURGE_TOKEN opens
 * it, and the operators' page, where SHOP_INSPECTOR_TOKEN does.
 */
export const features = [
  withCalls(calls),
  ...(publicConfig ? [withPublicConfig(publicConfig)] : []),
  ...(purgeToken ? [withPurgeEndpoint({ path: '/_cache/purge', token: purgeToken })] : []),
  ...(inspectorToken ? [withInspector({ token: inspectorToken })] : []),
];
