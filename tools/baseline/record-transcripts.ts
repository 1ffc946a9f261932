import { type WireRecord, WIRE_FOLDER_VARIABLE } from '@ng-ssr/conformance/results';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTranscript } from './format-transcript.ts';

/** The specs whose transcripts are compared: the adapters that are furthest from each other. */
const SPECS = [
  'node/test/conformance.spec.ts',
  'koa/test/conformance.spec.ts',
  'fetch/test/conformance-handler.spec.ts',
  'fetch/test/conformance-hono.spec.ts',
];

/**
 * Runs the whole conformance suite, and writes what was sent and received as a text for each adapter.
 *
 * @throws Error if a case fails.
 */
export function recordTranscripts(root: string, folder: string): void {
  const wire = mkdtempSync(join(tmpdir(), 'ng-ssr-wire-'));
  try {
    const specs = SPECS.map((spec) => join(root, 'packages', spec));
    const { status, stdout } = spawnSync('vitest', ['run', '--reporter=dot', ...specs], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, NG_SSR_TESTS: 'all', [WIRE_FOLDER_VARIABLE]: wire },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`conformance cases fail:\n${stdout}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const nowMs = Date.now();
    for (const name of readdirSync(wire)) {
      const record = JSON.parse(readFileSync(join(wire, name), 'utf8')) as WireRecord;
      const file = join(folder, name.replace(/json$/, 'txt'));
      writeFileSync(file, formatTranscript(record, nowMs));
    }
  } finally {
    rmSync(wire, { recursive: true });
  }
}
