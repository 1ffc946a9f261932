import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The data of pages: a version for each path, which increases when it changes. */
export class DocsApi {
  readonly #server: Server;
  readonly #versions = new Map<string, number>();
  /** Paths whose requests get a 503. */
  readonly failing = new Set<string>();
  /** The paths of all requests. */
  readonly requests: string[] = [];
  /** Called before each response, which waits for its result. */
  onRequest: ((path: string) => unknown) | undefined;

  private constructor() {
    this.#server = createServer(async ({ url }, response) => {
      const path = url!;
      this.requests.push(path);
      const version = this.version(path);
      await this.onRequest?.(path);
      if (this.failing.has(path)) response.statusCode = 503;
      response.end(`${path} is ${version}`);
    });
  }

  static async start(): Promise<DocsApi> {
    const api = new DocsApi();
    await once(api.#server.listen(0, '127.0.0.1'), 'listening');
    return api;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  version(path: string): number {
    return this.#versions.get(path) ?? 1;
  }

  change(path: string): void {
    this.#versions.set(path, this.version(path) + 1);
  }

  /** What a page that is not old contains. */
  pageOf(path: string): string {
    return `<!doctype html><h1>${path} is ${this.version(path)}</h1>`;
  }

  reset(): void {
    this.failing.clear();
    this.requests.length = 0;
    this.onRequest = undefined;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
