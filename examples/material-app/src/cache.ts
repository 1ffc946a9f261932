import { redisPageStore } from '@ng-ssr/redis';
import { LANGUAGES } from './app/shared/languages';

const token = process.env['PURGE_TOKEN'];
const url = process.env['REDIS_URL'];

/**
 * Stored pages, for every server. PURGE_TOKEN opens the endpoint for purges, and REDIS_URL has all
 * processes share their pages.
 */
export const cache = {
  languages: LANGUAGES,
  purgeEndpoint: token ? { path: '/_cache/purge', token } : undefined,
  store: url ? redisPageStore({ url }) : undefined,
};
