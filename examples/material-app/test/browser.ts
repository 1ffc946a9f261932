import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The shell is the same browser without its windows, and takes a third less of a processor. */
const NAMES = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable'],
];

/** The path of a Chromium on this machine: CHROMIUM_PATH, or the first on PATH. */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (given === undefined ? candidates : [given]).find(isExecutable);
}

/** Why browser tests are skipped where there is none, and what would provide one. */
export const NO_CHROMIUM =
  'no Chromium on PATH: "apt-get install chromium-headless-shell", or set CHROMIUM_PATH to one';

/** Starts a browser; each `newContext()` of it begins with an empty cache. */
export function openBrowser(
  executablePath: string,
  more: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
