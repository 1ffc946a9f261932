import { redisPageStore } from '@ng-ssr/redis';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { LANGUAGES } from './app/shared/languages';

const token = process.env['PURGE_TOKEN'];
const url = process.env['REDIS_URL'];
const file = process.env['SQLITE_FILE'];

/**
 * Stored pages, for every server. PURGE_TOKEN opens the endpoint for purges. REDIS_URL has all processes
 * share their pages, and SQLITE_FILE those of one machine.
 */
export const cache = {
  languages: LANGUAGES,
  purgeEndpoint: token ? { path: '/_cache/purge', token } : undefined,
  store: url
    ? redisPageStore({ url })
    : file
      ? sqlitePageStore({ file, maxBytes: 200_000_000 })
      : undefined,
};
