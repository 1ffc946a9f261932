import type { OldBuildsOptions } from '@ng-ssr/fetch';

const folder = process.env['BUILDS_FOLDER'];

/** BUILDS_FOLDER is a volume that the servers of all builds share: pages of each find their scripts. Default: none. */
export const builds: OldBuildsOptions | undefined = folder ? { folder } : undefined;
