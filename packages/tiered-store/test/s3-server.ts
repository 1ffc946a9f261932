import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { s3Bodies, type S3BodiesOptions } from '@ng-ssr/tiered-store';

/** What is used of s3rver, which has no types. */
interface S3rver {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

const S3rverClass = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;

/** The keys that s3rver knows. */
export const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const;
const BUCKET = 'pages';

/** A server that speaks S3, with one bucket in a folder. */
export class S3Server {
  readonly folder: string;
  readonly port: number;
  readonly #server: S3rver;

  private constructor(server: S3rver, port: number, folder: string) {
    this.#server = server;
    this.port = port;
    this.folder = folder;
  }

  static async start(): Promise<S3Server> {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-s3-'));
    const server = new S3rverClass({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory: folder },
      configureBuckets: [{ name: BUCKET, configs: [] }],
    });
    const { port } = await server.run();
    return new S3Server(server, port, folder);
  }

  /** @param port - That of a proxy in front of it. */
  options(more: Partial<S3BodiesOptions> & { readonly port?: number } = {}): S3BodiesOptions {
    const { port = this.port, ...others } = more;
    // A busy machine is no outage.
    return {
      ...{ endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, ...KEYS, timeoutMs: 10_000 },
      ...others,
    };
  }

  bodies(more?: Parameters<S3Server['options']>[0]): ReturnType<typeof s3Bodies> {
    return s3Bodies(this.options(more));
  }

  /** Where its objects are. */
  get objects(): string {
    return join(this.folder, BUCKET, 'ng-ssr');
  }

  async stop(): Promise<void> {
    await this.#server.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
