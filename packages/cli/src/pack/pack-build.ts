import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  AVAILABLE_ENCODINGS,
  ENCODINGS,
  DICTIONARY_ENCODINGS,
  makePack,
  PACK_FOLDER,
  type PackManifest,
  SsrError,
  writePack,
  toLogLine,
} from '@ng-ssr/core/pack';
import { Progress } from '../terminal/progress.ts';
import { print } from '../terminal/print.ts';
import { wrongArguments } from '../wrong-arguments.ts';
import { packManifest } from './pack-manifest.ts';

/**
 * Packs a build, and prints what the pack has.
 *
 * @param browser - The name of the browser folder.
 * @param previous - The output paths of earlier builds.
 * @param inlineBytes - Writes a manifest, too, with the content of files up to this size; undefined for none.
 * @throws SsrError `NG_SSR_COMMAND_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_INDEX_FAILED`,
 * `NG_SSR_PACK_FAILED`
 */
export async function packBuild(
  outputPath: string,
  browser: string,
  previous: readonly string[],
  inlineBytes: number | undefined,
): Promise<void> {
  const sinceMs = performance.now();
  assertName(browser);
  const browserFolder = join(outputPath, browser);
  assertFolder(outputPath, browserFolder);
  const earlier = previous.map((path) => join(path, browser));
  for (const [at, folder] of earlier.entries()) assertFolder(previous[at]!, folder, '--previous: ');
  // libuv reads it when its first thread starts; a server leaves it alone, this process has no other work.
  process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism());
  const progress = new Progress(`Packing ${browserFolder}`);
  const made = await makePack(
    browserFolder,
    earlier,
    (done, all) => progress.show(done, all),
    (notice) => progress.interrupt(toLogLine(notice)),
  ).finally(() => progress.end());
  const folder = join(outputPath, PACK_FOLDER);
  await writePack(folder, made);
  const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1);
  print(`${summaryOf(made.manifest, browserFolder, folder, seconds)}\n`);
  if (inlineBytes === undefined) return;
  print(`${await packManifest(browserFolder, folder, inlineBytes)}\n`);
}

/** With another name the pack would be in the browser folder and sent as a file, or not be found. */
function assertName(browser: string): void {
  const isName = browser !== '' && browser !== '.' && browser !== '..' && !/[/\\]/.test(browser);
  if (isName && browser !== PACK_FOLDER) return;
  throw wrongArguments(
    `--browser is ${JSON.stringify(browser)}; allowed: the name of a folder in the output path, ` +
      `but not "${PACK_FOLDER}"`,
  );
}

/** @param option - The option that names the path, for the message. */
function assertFolder(outputPath: string, browserFolder: string, option = ''): void {
  if (statSync(browserFolder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const name = basename(browserFolder);
  const isInside = basename(resolve(outputPath)) === name;
  throw new SsrError(
    'NG_SSR_BROWSER_FOLDER_MISSING',
    `${option}${resolve(browserFolder)} is not a folder. ` +
      (isInside
        ? `Name the folder above it: ng-ssr pack ${join(outputPath, '..')}`
        : 'Run "ng build" first, and name its output path, or the browser folder with --browser'),
  );
}

function summaryOf(
  { files }: PackManifest,
  browserFolder: string,
  folder: string,
  seconds: string,
): string {
  const lines = ENCODINGS.map((encoding) => {
    if (!AVAILABLE_ENCODINGS.includes(encoding))
      return `  ${encoding}: this Node has none, servers make it`;
    const encoded = files.flatMap((file) => file.encodings[encoding] ?? []);
    return `  ${encoding}: ${count(encoded.map(({ bytes }) => bytes))}`;
  });
  const differences = files.flatMap(({ withDictionary = [] }) => withDictionary);
  for (const encoding of differences.length === 0 ? [] : DICTIONARY_ENCODINGS) {
    const encoded = differences.flatMap(({ encodings }) => encodings[encoding] ?? []);
    lines.push(`  ${encoding} against earlier builds: ${count(encoded.map(({ bytes }) => bytes))}`);
  }
  const all = count(files.map((file) => file.bytes));
  return [`Packed ${browserFolder} into ${folder} in ${seconds} s: ${all}`, ...lines].join('\n');
}

function count(bytes: readonly number[]): string {
  return `${bytes.length} ${bytes.length === 1 ? 'file' : 'files'}, ${sum(bytes)} bytes`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
