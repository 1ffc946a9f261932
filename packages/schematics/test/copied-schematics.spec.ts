import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const tool = fileURLToPath(new URL('../tools/copy-schematics.mjs', import.meta.url));

// The Angular CLI says of a package whose schematics miss a file that it has none, and adds it so.
describe('what an adapter’s build copies of the schematics', () => {
  it.each(['node', 'koa', 'fastify', 'express', 'fetch'])('is all that they load: %s', (name) => {
    const place = mkdtempSync(join(tmpdir(), 'ng-ssr-copied-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const adapter = join(place, name);
    mkdirSync(adapter);
    execFileSync(process.execPath, [tool], { cwd: adapter });

    const files = globSync('**/*.js', { cwd: adapter }).map((path) => join(adapter, path));
    expect(files).not.toEqual([]);
    const loaded = files.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\brequire\("(\.[^"]+)"\)/g)].map(([, specifier]) =>
        join(dirname(path), specifier!),
      ),
    );
    expect(loaded.filter((path) => !existsSync(path))).toEqual([]);
  });
});
