import { redisPageStore } from '@ng-ssr/redis';
import { sqlitePageStore } from '@ng-ssr/sqlite';
import { LANGUAGES } from './app/shared/languages';

const url = process.env['REDIS_URL'];
const file = process.env['SQLITE_FILE'];

/**
 * Stored pages, for every server. REDIS_URL has all processes share their pages, and SQLITE_FILE those of one
 * machine.
 */
export const cache = {
  languages: LANGUAGES,
  store: url
    ? redisPageStore({ url })
    : file
      ? sqlitePageStore({ file, maxBytes: 200_000_000 })
      : undefined,
};
