import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../environment.mjs';
import { freePort } from '../../free-port.ts';
import { run, serve } from '../child-process.mjs';
import { LISTENING } from '../http-checks.mjs';
import { childEnv, programOf } from '../workspace.mjs';
import { dockerProblem } from './docker.mjs';
import { readSteps } from './read-steps.mjs';

/** What the starts of workspace.mjs have done. */
const DONE_BEFORE = /^(?:npx @angular\/cli(?:@\S+)? new |cd )/;
const SERVER = /^(?:[A-Z_]+=\S+ )*node dist\//;
const DOCKER = /^docker (\w+)/;
/** Of the server in the page: each run has one of its own. */
const PORT = '4000';

/**
 * Does in a workspace what a page tells its reader, and compares what commands print with the page.
 *
 * Where Docker cannot run, the steps from the first `docker` command on are left out. A time to live may differ.
 *
 * @param page - As `docs/tutorial.md`.
 * @returns What was left out and why, or undefined.
 */
export async function followPage(page, workspace) {
  const port = await freePort();
  const place = { page, workspace, port };
  const problem = await dockerProblem();
  let server;
  let skipped;
  try {
    for (const { line, path, text, commands, expected } of stepsOf(page)) {
      if (path !== undefined) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        writeFileSync(join(workspace, path), text);
        continue;
      }
      let printed = '';
      for (const command of commands) {
        if (DONE_BEFORE.test(command)) continue;
        const [, verb] = DOCKER.exec(command) ?? [];
        if (verb === 'build') {
          await server?.stop();
          if (problem !== undefined) skipped = `without Docker: ${problem}`;
        }
        if (skipped !== undefined) continue;
        if (SERVER.test(command)) {
          await server?.stop();
          server = await start(command, place);
        } else printed += await runLine(command, place, line);
      }
      if (expected !== undefined && skipped === undefined) {
        assert.equal(plain(printed, port), plain(expected, port), `${page}:${line}`);
      }
    }
  } finally {
    await server?.stop();
    await stopPm2(place);
  }
  return skipped;
}

function stepsOf(page) {
  return readSteps(page, readFileSync(join(root, page), 'utf8'));
}

function start(command, place) {
  const words = ['-c', `exec env ${command}`];
  return serve('bash', words, { cwd: place.workspace, env: envOf(place), ready: LISTENING });
}

/** PM2's daemon is one for each folder of PM2_HOME. */
function envOf({ workspace, port }) {
  return { ...childEnv, PORT: String(port), PM2_HOME: pm2Home(workspace) };
}

function pm2Home(workspace) {
  return join(workspace, '.angular/pm2');
}

async function stopPm2(place) {
  const { workspace } = place;
  if (!existsSync(pm2Home(workspace))) return;
  await run(programOf(workspace, 'pm2'), ['kill'], { cwd: workspace, env: envOf(place) });
}

async function runLine(command, place, line) {
  const { page, workspace } = place;
  try {
    const words = ['-c', prepared(command, place)];
    const { output } = await run('bash', words, { cwd: workspace, env: envOf(place) });
    return output;
  } catch (error) {
    throw new Error(`${page}:${line}: ${error.message}`, { cause: error });
  }
}

/** A command as it runs here: without a terminal, beside other servers, with our registry. */
function prepared(command, { workspace, port }) {
  return command
    .replace(/^npx ng /, `${programOf(workspace, 'ng')} `)
    .replace(/^(\S+ng add .*)$/, '$1 --skip-confirmation')
    .replace(/^docker build /, '$&--network host --secret id=npmrc,src=.npmrc ')
    .replaceAll(`localhost:${PORT}`, `localhost:${port}`)
    .replace(
      `-p ${PORT}:${PORT} -e NG_ALLOWED_HOSTS=localhost`,
      `-p ${port}:${PORT} -e NG_ALLOWED_HOSTS=localhost:${port}`,
    );
}

function plain(text, port) {
  return text
    .replaceAll('\r', '')
    .replaceAll(`localhost:${port}`, `localhost:${PORT}`)
    .replaceAll(/ttl=\d+/g, 'ttl=N')
    .trim();
}
