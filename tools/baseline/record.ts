import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFigures } from './bundle-figures.ts';
import { codeFigures } from './code-figures.ts';
import { heapFigures } from './heap-figures.ts';
import { optionFigures } from './option-figures.ts';
import { FILES, type Part } from './parts.ts';
import { recordTranscripts } from './record-transcripts.ts';
import { seamFigures } from './seam-figures.ts';
import { readSourceFiles } from './source-files.ts';

/** Records the parts of a checkout in a folder, and says which one it records. */
export async function record(root: string, folder: string, parts: readonly Part[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, FILES.about), about(root));
  const recorders: Record<Part, () => unknown> = {
    trace: () => recordTrace(root, join(folder, FILES.trace)),
    transcripts: () => recordTranscripts(root, join(folder, FILES.transcripts)),
    figures: async () => writeJson(join(folder, FILES.figures), await figures(root)),
  };
  for (const part of parts) {
    const start = performance.now();
    await recorders[part]();
    console.error(`${part}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
}

function recordTrace(root: string, file: string): void {
  execFileSync(process.execPath, [join(root, 'tools/trace/trace.ts'), '--json', file], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function figures(root: string): Promise<unknown> {
  const files = readSourceFiles(root);
  const options = readFileSync(join(root, 'docs/options.md'), 'utf8');
  return {
    ...codeFigures(files),
    ...seamFigures(files),
    ...optionFigures(options),
    ...(await bundleFigures(root)),
    ...heapFigures(),
  };
}

/** API reports and docs/options.md are in the commit. */
function about(root: string): unknown {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return {
    commit: git('rev-parse', 'HEAD'),
    isChanged: git('status', '--porcelain') !== '',
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
