import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isShort } from '@ng-ssr/conformance/fuzz';
import { expect, test } from 'vitest';
import { writeBuiltFolder } from './shutdown/built-folder.ts';
import { SERVERS } from './shutdown/servers.ts';
import { type Child, startChild } from './shutdown/start-child.ts';

const REPLACEMENTS = isShort ? 12 : 16;
const CLIENTS = 32;
/** A page takes milliseconds. */
const LOST_MS = 10_000;

/**
 * The primary process accepts connections and hands them on. It does so also while a worker closes its server: in one
 * of ten replacements a connection is on its way then.
 */
test('workers of node:cluster are replaced under load without a lost connection', async () => {
  const { folder, remove } = writeBuiltFolder();
  const { program } = SERVERS['node']!;
  const primary = await startPrimary(fileURLToPath(program), folder);
  try {
    const replaced = lineOf(primary, 'replaced');
    let isOver = false;
    const outcomes = new Map<number | string, number>();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const outcome = await ask(primary.port);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    });
    primary.process.kill('SIGHUP');
    await replaced;
    isOver = true;
    await Promise.all(clients);
    const { 200: answered, ...others } = Object.fromEntries(outcomes);
    expect(others).toEqual({});
    expect(answered).toBeGreaterThan(100);
    primary.process.kill('SIGTERM');
    expect(await primary.exited).toMatchObject({ code: 0, errors: 'replaced\n' });
  } finally {
    primary.process.kill('SIGKILL');
    remove();
  }
}, 120_000);

function startPrimary(program: string, browserFolder: string): Promise<Child> {
  const settings = [program, { browserFolder }, REPLACEMENTS];
  // Other children get an object.
  return startChild(new URL('cluster/primary.ts', import.meta.url), settings as never);
}

/** Resolves when the primary process writes a line on stderr. */
async function lineOf({ process: child, exited }: Child, wanted: string): Promise<void> {
  const lines = createInterface({ input: child.stderr! });
  const written = new Promise<void>((resolve) => {
    lines.on('line', (line) => line === wanted && resolve());
  });
  const ended = exited.then(({ code, errors }) => {
    throw new Error(`the primary process has ended with ${code}: ${errors}`);
  });
  await Promise.race([written, ended]);
}

/** A page over a connection of its own: its status, or why there is none. */
function ask(port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: '/page', agent: false });
    asked.setTimeout(LOST_MS, () => {
      asked.destroy();
      resolve('no answer');
    });
    asked.on('error', ({ message }) => resolve(message));
    asked.on('response', (response) => {
      response.resume().on('error', ({ message }) => resolve(message));
      response.on('end', () => resolve(response.statusCode!));
    });
    asked.end();
  });
}
