import { afterEach, beforeEach, expect } from 'vitest';
import { pageText } from '../../conformance/test/processes/page-text.ts';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { Place } from './place.ts';
import { Proxy } from './proxy.ts';
import { S3Server } from './s3-server.ts';

/** The size of a page. */
export const BYTES = 90_000;

/** A request for a page that is fresh for ten minutes. */
export const FRESH = { 'cache-control': 's-maxage=600', bytes: String(BYTES) } as const;

/** Servers of a fleet, each of a machine of its own: what they share is an index in a file, and a bucket. */
export class Fleet {
  readonly s3: S3Server;
  /** In front of the bucket. */
  readonly proxy: Proxy;
  readonly place: Place = new Place();
  readonly #servers: ServerProcess[] = [];

  private constructor(s3: S3Server, proxy: Proxy) {
    this.s3 = s3;
    this.proxy = proxy;
  }

  static async create(): Promise<Fleet> {
    const s3 = await S3Server.start();
    return new Fleet(s3, await Proxy.start(s3.port));
  }

  /**
   * Starts a server.
   *
   * @param machine - The name of its folder of bodies.
   * @param timeoutMs - How long a page waits for the bucket.
   */
  async start(machine: string, timeoutMs: number): Promise<ServerProcess> {
    const { place, proxy, s3 } = this;
    const server = await ServerProcess.start({
      sqlite: { file: place.path('pages.db'), maxBytes: 256 * 1024 * 1024, timeoutMs: 400 },
      tiered: {
        folder: { folder: place.path(machine), maxBytes: 2 ** 30, timeoutMs: 400 },
        s3: s3.options({ port: proxy.port, timeoutMs }),
      },
    });
    this.#servers.push(server);
    return server;
  }

  async end(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
    await this.proxy.stop();
    await this.s3.stop();
    await this.place.close();
  }
}

/** A fleet for each test of a file. */
export function useFleet(): () => Fleet {
  let fleet: Fleet | undefined;
  beforeEach(async () => void (fleet = await Fleet.create()));
  afterEach(() => fleet?.end());
  return () => fleet!;
}

/** Asks for a page. @returns who has rendered it. */
export async function expectRight(server: ServerProcess, path: string): Promise<number> {
  const { status, page } = await server.ask(says(path, FRESH));
  expect(status, path).toBe(200);
  if (page.text !== pageText(path, BYTES)) expect.fail(`${path} has another text`);
  return page.pid;
}
