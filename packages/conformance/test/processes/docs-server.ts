import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { alikeServers } from '../../../../tools/docs/code-blocks/alike-servers.ts';
import { readCodeBlocks } from '../../../../tools/docs/code-blocks/read-code-blocks.ts';
import { fileNameOf } from '../../../../tools/docs/code-blocks/to-module.ts';
import type { FromServer, ToServer } from './docs-adapter.ts';

const root = join(import.meta.dirname, '../../../..');
const ADAPTER = pathToFileURL(join(import.meta.dirname, 'docs-adapter.ts')).href;

const PROGRAM_ENV = {
  NODE_ENV: 'production',
  PORT: '0',
  NG_TRUST_PROXY_HEADERS: 'x-forwarded-proto',
};

/**
 * The code of a file that a page of the documentation shows.
 *
 * @param heading - The text of the heading above it, without `#`.
 * @param tab - The framework, if the page shows the file for several.
 */
export function docsFile(page: string, heading: string, file: string, tab?: string): string {
  const markdown = readFileSync(join(root, page), 'utf8');
  const start = markdown.indexOf(`\n## ${heading}\n`);
  const end = markdown.indexOf('\n## ', start + 1);
  const section = markdown.slice(start, end === -1 ? undefined : end);
  const block = readCodeBlocks(page, section).find(({ code }) => fileNameOf(code) === file);
  if (start === -1 || block === undefined) throw new Error(`${page} has no ${file} in ${heading}`);
  const { code } = block;
  return tab === undefined ? code : alikeServers(page, code)!.get(tab)!;
}

/** A folder for programs of the documentation. They import what is written into it, and else the packages of a spec. */
export class DocsWorkspace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'ng-ssr-docs-'));
  readonly #resolve: (name: string) => string;

  /** @param from - `import.meta.url` of a spec. */
  constructor(from: string) {
    this.#resolve = createRequire(from).resolve;
    this.write('dist/shop/browser/main-5INURTSO.js', '');
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  /** Has programs get a package that the spec can import. `more` is source with exports that replace those of it. */
  link(name: string, more = ''): void {
    const original = pathToFileURL(this.#resolve(name)).href;
    this.write(`node_modules/${name}/package.json`, '{ "type": "module", "main": "./index.js" }');
    const source = `import * as original from ${JSON.stringify(original)};
export * from ${JSON.stringify(original)};
export default original.default;
${more}`;
    this.write(`node_modules/${name}/index.js`, source);
  }

  /** The same for an adapter: `appEngine()` is an engine that gets its pages from {@link DocsServer.start}'s API. */
  linkAdapter(name: 'express' | 'node'): void {
    const file = join(root, 'packages', name, 'dist/server.js');
    const create = name === 'node' ? 'createNodeSsrServer' : 'createExpressSsrServer';
    this.write(
      `node_modules/@ng-ssr/${name}/package.json`,
      '{ "type": "module", "main": "./index.js" }',
    );
    this.write(
      `node_modules/@ng-ssr/${name}/index.js`,
      `import * as original from ${JSON.stringify(pathToFileURL(file).href)};
import { apiEngine, controlled } from ${JSON.stringify(ADAPTER)};
export * from ${JSON.stringify(pathToFileURL(file).href)};
export const appEngine = apiEngine;
export const ${create} = (options) => controlled(original.${create}(options));
`,
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A `src/server.ts` of the documentation as a process. */
export class DocsServer {
  readonly #child: ChildProcess;
  readonly #port: string;
  #calls = 0;

  private constructor(child: ChildProcess, port: string) {
    this.#child = child;
    this.#port = port;
  }

  /** @param env - With `API`: the origin from which each page gets its content. */
  static async start(
    { folder }: DocsWorkspace,
    env: Readonly<Record<string, string>>,
  ): Promise<DocsServer> {
    const child = fork(join(folder, 'dist/shop/server/server.ts'), [], {
      cwd: folder,
      execArgv: [],
      env: { ...process.env, ...PROGRAM_ENV, ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    for await (const line of createInterface(child.stdout!)) {
      const [, port] = /^Listening on http:\/\/.*:(\d+)/.exec(line) ?? [];
      if (port === undefined) continue;
      child.stdout!.resume();
      return new DocsServer(child, port);
    }
    throw new Error('the server of the documentation has not started');
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    return this.send('GET', path, {});
  }

  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const sent = request({
      ...{ host: '127.0.0.1', port: this.#port, method, path, agent: false },
      // As behind a proxy with TLS.
      headers: { host: 'shop.example', 'x-forwarded-proto': 'https', ...headers },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & Status];
    return { status: response.statusCode, text: await text(response) };
  }

  /** Calls a function that the program exports, or `server.cache.purge`; rejects as it does. */
  async call(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#calls;
    const replied = new Promise<FromServer>((resolve) => {
      const onMessage = (message: FromServer): void => {
        if (message.id !== id) return;
        this.#child.off('message', onMessage);
        resolve(message);
      };
      this.#child.on('message', onMessage);
    });
    this.#child.send({ id, name, args } satisfies ToServer);
    const { result, error } = await replied;
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** @returns its exit code, or the signal that ended it. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode ?? child.signalCode!;
  }
}

interface Status {
  readonly statusCode: number;
}
