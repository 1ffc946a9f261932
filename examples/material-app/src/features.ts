import { withInspector, withPurgeEndpoint } from '@ng-ssr/fetch';

const inspectorToken = process.env['SHOP_INSPECTOR_TOKEN'];
const purgeToken = process.env['PURGE_TOKEN'];

/**
 * For every server: the endpoint for purges, where PURGE_TOKEN opens it, and the operators' page, where
 * SHOP_INSPECTOR_TOKEN does.
 */
export const features = [
  ...(purgeToken ? [withPurgeEndpoint({ path: '/_cache/purge', token: purgeToken })] : []),
  ...(inspectorToken ? [withInspector({ token: inspectorToken })] : []),
];
