import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { VERSION } from './version.ts';

/** A dependency on a package of ng-ssr, in a package.json. */
const OWN_RANGE = /("@ng-ssr\/[\w-]+": "\^)([^"]+)/g;

/**
 * Compares with test/golden/<name>.txt; `npm run golden -w packages/schematics` writes them again. They have
 * `^(version)` for the version of ng-ssr: a release changes none of them.
 */
export function expectGolden(name: string, changes: string): void {
  const text = changes.replaceAll(OWN_RANGE, (found, start: string, version: string) =>
    version === VERSION ? `${start}(version)` : found,
  );
  const path = fileURLToPath(new URL(`golden/${name}.txt`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}
