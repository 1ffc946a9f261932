import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figures } from './figures.ts';

const FILES = 500;
const FILE_BYTES = 2000;
const STARTS = 3;

interface Memory {
  readonly heapUsed: number;
  readonly arrayBuffers: number;
}

/** KiB that a server with 500 files of 2 kB takes after its start: the median of three processes. */
export function heapFigures(): Figures {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-heap-'));
  const browser = join(folder, 'browser');
  mkdirSync(browser);
  for (let number = 0; number < FILES; number++) {
    const name = `chunk-${number.toString(36).toUpperCase().padStart(8, 'A')}.js`;
    writeFileSync(join(browser, name), `export const x = ${number};`.padEnd(FILE_BYTES, '/'));
  }
  try {
    const starts = Array.from({ length: STARTS }, () => start(browser));
    const kib = starts.map(({ heapUsed, arrayBuffers }) => (heapUsed + arrayBuffers) / 1024);
    kib.sort((a, b) => a - b);
    return { [HEAP_FIGURE]: Math.round(kib[Math.floor(STARTS / 2)]!) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Two runs of the same code differ by up to 1% in it. */
export const HEAP_FIGURE = 'memory after start/KiB';

function start(browserFolder: string): Memory {
  const program = join(import.meta.dirname, 'heap-program.mjs');
  const args = ['--expose-gc', program, browserFolder];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Memory;
}
