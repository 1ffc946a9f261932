import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findOriginals } from '../../../src/platform/source-maps/original-positions.ts';
import { nameSources } from '../../../src/platform/source-maps/name-sources.ts';

test.each([true, false])('places are those that Node finds (minified: %s)', async (minify) => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../../src/handler/ssr-handler.ts')],
    outdir: tmpdir(),
    ...{ bundle: true, minify, platform: 'node', format: 'esm', packages: 'external' },
    ...{ sourcemap: 'external', write: false, logLevel: 'error' },
  });
  const [map, code] = ['.map', '.js'].map(
    (end) => outputFiles!.find(({ path }) => path.endsWith(end))!.text,
  );
  const payload = JSON.parse(map!) as SourceMapPayload;
  const lines = code!.split('\n');
  const longest = [...lines.entries()].toSorted((a, b) => b[1].length - a[1].length);
  const places = longest.slice(0, minify ? 1 : 50).flatMap(([line, text]) => {
    const parts = minify ? 100 : 2;
    return Array.from({ length: parts }, (_, at) => ({
      line,
      column: Math.floor((text.length * at) / parts),
    }));
  });
  const node = new SourceMap(payload);
  const found = findOriginals(payload.mappings, places);
  for (const [at, { line, column }] of places.entries()) {
    const entry = node.findEntry(line, column) as { readonly originalSource?: string };
    const { originalLine, originalColumn } = entry as unknown as Record<string, number>;
    const ours = found[at];
    // Node goes back to earlier lines, where a line begins without a place.
    if (ours === undefined) continue;
    expect({ ...ours, source: payload.sources[ours.source] }).toEqual({
      source: entry.originalSource,
      line: originalLine,
      column: originalColumn,
    });
  }
  expect(found.filter((each) => each !== undefined).length).toBeGreaterThan(20);
});

test('a map is read once; what has no map stays as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-maps-'));
  const file = join(folder, 'server.mjs');
  const map = { version: 3, sourceRoot: 'src/', sources: ['app.ts'], mappings: 'AAAA;AACA' };
  writeFileSync(`${file}.map`, JSON.stringify(map));
  expect(readFileSync(`${file}.map`, 'utf8')).toContain('app.ts');
  const stack = `Error: x\n    at f (file://${file}:2:1)\n    at ${file}:1:1\n    at g (node:fs:1:1)`;
  const named =
    'Error: x\n    at f (src/app.ts:2:1)\n    at src/app.ts:1:1\n    at g (node:fs:1:1)';
  expect(nameSources(stack)).toBe(named);
  rmSync(folder, { recursive: true });
  expect(nameSources(stack.replace('Error: x', 'Error: y'))).toBe(named.replace('x', 'y'));
});
