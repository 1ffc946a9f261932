import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../built-site.ts';
import { age, filesOf, HOUR_MS, newFolder, serve } from './build-server.ts';

function publish(browserFolder: string, folder: string): ChildProcess {
  const program = join(import.meta.dirname, 'publisher.ts');
  const child = spawn(process.execPath, [program, browserFolder, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function lines(child: ChildProcess, last: string): Promise<string[]> {
  const seen: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    seen.push(line);
    if (line === last) break;
  }
  return seen;
}

test('processes that start at once make one build of it; one that is killed leaves none that is half', async () => {
  const folder = newFolder();
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [
      `browser/chunk-${String(i).padStart(8, 'a')}.js`,
      `/* ${i} */`.padEnd(20_000, ' '),
    ]),
  );
  const browserFolder = writeBuiltSite({ ...filesOf(1), ...many });
  const killed = publish(browserFolder, folder);
  await lines(killed, 'starting');
  // In the middle of the copy, as soon as there is something.
  while (!existsSync(join(folder, 'root')) || readdirSync(join(folder, 'root')).length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const both = [publish(browserFolder, folder), publish(browserFolder, folder)];
  const said = await Promise.all(both.map((child) => lines(child, 'ready')));
  expect(said).toEqual([
    ['starting', 'ready'],
    ['starting', 'ready'],
  ]);
  const ids = readdirSync(join(folder, 'root')).filter((name) => !name.startsWith('.'));
  expect(ids).toHaveLength(1);
  const manifest = readFileSync(join(folder, 'root', ids[0]!, 'build.json'), 'utf8');
  expect(Object.keys((JSON.parse(manifest) as { files: object }).files)).toHaveLength(302);
  const newer = await serve(2, { folder });
  for (const name of Object.keys(many).slice(0, 5)) {
    expect((await newer.get(`/${name.slice('browser/'.length)}`)).status).toBe(200);
  }
  // What the killed process has left is removed, an hour later.
  age(folder, 2 * HOUR_MS);
  await serve(3, { folder });
  expect(readdirSync(join(folder, 'root')).filter((name) => name.startsWith('.'))).toEqual([]);
});
