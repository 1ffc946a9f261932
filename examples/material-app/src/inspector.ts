const token = process.env['SHOP_INSPECTOR_TOKEN'];

/** The operators' page, for every server: on where SHOP_INSPECTOR_TOKEN opens it. */
export const inspector = token ? { path: '/_ng-ssr/inspector', token } : undefined;
