import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { serve } from '../e2e/child-process.mjs';
import { get, LISTENING } from '../e2e/http-checks.mjs';
import { childEnv } from '../e2e/workspace.mjs';

/** Of each engine: its program in the folder of a build, and the locales that this serves. */
const PROGRAMS = {
  app: { file: 'server/server.mjs', locales: ['en', 'de'] },
  common: { file: 'server/de/server.mjs', locales: ['de'] },
};

/** A path that the gallery redirects is not here: CommonEngine sends the page. */
const PAGES = ['', 'parts', 'form', 'later', 'built', 'browser'];
/** What is learned of a page changes how it is made the next time. */
const ROUNDS = 2;

/** The paths of the pages of an engine, in the order in which they are asked. */
export function pathsOf(engine) {
  const paths = PROGRAMS[engine].locales.flatMap((locale) =>
    PAGES.map((page) => `/${locale}/${page}`),
  );
  return Array.from({ length: ROUNDS }, () => paths).flat();
}

/**
 * Starts one server of a build, asks it for each page, one after the other, and stops it. The order matters: Material
 * counts the identifiers of a process.
 *
 * @param kind - `angular` for Angular's own, `fast`, or `not fast`.
 * @returns The pages, in the order of `pathsOf`, and what the server has printed.
 */
export async function askAll(folder, engine, kind) {
  const port = await freePort();
  const env = {
    ...childEnv,
    PORT: String(port),
    MATRIX_SERVER: kind,
    NG_ALLOWED_HOSTS: 'localhost',
    NG_SSR_ETAG: 'js',
    // Angular's server listens if it is the main module, or under PM2.
    ...(kind === 'angular' ? { pm_id: '0' } : {}),
  };
  const args = [join(folder, PROGRAMS[engine].file)];
  const server = await serve(process.execPath, args, { cwd: folder, env, ready: LISTENING });
  try {
    const pages = [];
    for (const path of pathsOf(engine)) {
      const { status, body } = await get(port, path, { Host: 'localhost' }, 60_000);
      pages.push({ path, status, body });
    }
    return { pages, output: server.output() };
  } finally {
    await server.stop();
  }
}
