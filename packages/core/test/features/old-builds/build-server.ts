import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type OldBuildsOptions, type SsrError, type SsrOptions, withOldBuilds } from '@ng-ssr/core';
import { type Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';

export interface Server {
  readonly handler: SsrHandler;
  readonly errors: SsrError[];
  readonly browserFolder: string;
  /** What an adapter does with a request, and how often the engine rendered. */
  get(target: string, headers?: Record<string, string>): Promise<Answer>;
  readonly renders: () => number;
}

/** The files of build `n`: its main script has a name of its own. */
export function filesOf(n: number, base = '/'): Record<string, string> {
  return {
    'browser/index.csr.html': `<html><head><base href="${base}"></head></html>`,
    [`browser/${mainOf(n)}`]: `export const build = ${n};`.padEnd(3000, '/'),
    [`browser/${mainOf(n)}.map`]: '{}',
    [`browser/chunk-shared22.js`]: 'export {};',
    'browser/robots.txt': `of build ${n}`,
  };
}

export const mainOf = (n: number): string => `main-BUILD${String.fromCharCode(65 + n)}AA.js`;

export async function serve(
  n: number | Record<string, string>,
  builds: OldBuildsOptions | undefined,
  more: Partial<SsrOptions> = {},
): Promise<Server> {
  const browserFolder = writeBuiltSite(typeof n === 'number' ? filesOf(n) : n);
  return start(browserFolder, builds, more);
}

export async function start(
  browserFolder: string,
  builds: OldBuildsOptions | undefined,
  more: Partial<SsrOptions> = {},
): Promise<Server> {
  const errors: SsrError[] = [];
  let renders = 0;
  const handler = new SsrHandler({
    engine: () => {
      renders++;
      return new Response('page', { headers: { 'content-type': 'text/html' } });
    },
    allowedHosts: ['localhost'],
    onError: (error) => errors.push(error),
    ...more,
    files: { folder: browserFolder, encodings: [], ...more.files },
    features: [...(builds ? [withOldBuilds(builds)] : []), ...(more.features ?? [])],
  });
  onTestFinished(() => handler.close());
  await handler.ready();
  const get: Server['get'] = async (target, headers) => {
    const exchange = plainExchange(target, headers);
    const answer = handler.answer(exchange) ?? (await handler.largeFile(exchange));
    if (answer === undefined) return (await handler.render(exchange))!;
    if ('body' in answer) return answer;
    const chunks: Uint8Array[] = [];
    for (let each = await answer.content.read(); each; each = await answer.content.read())
      chunks.push(each);
    return { status: answer.status, headers: answer.headers, body: Buffer.concat(chunks) };
  };
  return { handler, errors, browserFolder, get, renders: () => renders };
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-builds-'));
  onTestFinished(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Plays time: all builds were last marked so long ago. */
export function age(folder: string, ms: number): void {
  const names = existsSync(join(folder, 'root')) ? readdirSync(join(folder, 'root')) : [];
  for (const name of names) {
    const path = join(folder, 'root', name);
    const { mtimeMs } = statSync(path);
    utimesSync(path, (mtimeMs - ms) / 1000, (mtimeMs - ms) / 1000);
  }
}

export const HOUR_MS = 60 * 60 * 1000;

export const text = ({ body }: Answer): string => Buffer.from(body ?? []).toString();
