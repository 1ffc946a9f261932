import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeSsrServer, type NodeSsrServer, withOldBuilds } from '@ng-ssr/node/server';
import type { DerivedBuilds } from './derived-builds.ts';

/** An instance of a build's server. */
interface Instance {
  readonly server: NodeSsrServer;
  readonly port: number;
  readonly browserFolder: string;
  readonly build: number;
}

/** A deploy is so much later than the one before it. */
const BETWEEN_DEPLOYS_MS = 60 * 60 * 1000;

/**
 * Two instances of one site behind a proxy that sends each request to the next of them, as a rollout has them: of two
 * builds for a while. They share a folder of builds, and of their own files nothing is left when they have stopped.
 */
export class RollingServers {
  readonly #builds: DerivedBuilds;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ng-ssr-rolling-'));
  readonly #keep: number | undefined;
  readonly #instances: (Instance | undefined)[] = [undefined, undefined];
  readonly #proxy: Server;
  readonly #ends: Promise<void>[] = [];
  #next = 0;
  /** Errors of all instances. */
  readonly errors: unknown[] = [];
  origin = '';

  /** @param keep - How many builds are kept; undefined without `withOldBuilds()`. */
  constructor(builds: DerivedBuilds, keep: number | undefined) {
    this.#builds = builds;
    this.#keep = keep;
    this.#proxy = createServer((asked, answer) => {
      const instance = this.#pick();
      if (instance === undefined) return void answer.destroy();
      const { method, url, headers } = asked;
      const sent = request({ host: '127.0.0.1', port: instance.port, method, path: url, headers });
      sent.on('response', (response) => {
        answer.writeHead(response.statusCode!, response.rawHeaders);
        response.pipe(answer);
      });
      sent.on('error', () => answer.destroy());
      asked.pipe(sent);
    });
  }

  async start(build: number): Promise<void> {
    await new Promise<void>((resolve) => this.#proxy.listen(0, '127.0.0.1', resolve));
    this.origin = `http://localhost:${(this.#proxy.address() as AddressInfo).port}`;
    await this.replace(0, build);
    await this.replace(1, build);
  }

  /** Stops an instance and starts another one in its place. */
  async replace(at: 0 | 1, build: number): Promise<void> {
    const earlier = this.#instances[at];
    this.#age();
    const started = await this.#startInstance(build);
    this.#instances[at] = started;
    // Its last requests are answered meanwhile.
    this.#ends.push(this.#end(earlier));
  }

  /** Every instance is gone for a while. */
  async stop(): Promise<void> {
    const running = [...this.#instances];
    this.#instances.fill(undefined);
    await Promise.all(running.map((instance) => this.#end(instance)));
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.all(this.#ends);
    this.#proxy.closeAllConnections();
    await new Promise((resolve) => this.#proxy.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #pick(): Instance | undefined {
    const running = this.#instances.filter((instance) => instance !== undefined);
    return running[this.#next++ % running.length];
  }

  async #startInstance(build: number): Promise<Instance> {
    const browserFolder = join(mkdtempSync(join(this.#folder, 'instance-')), 'browser');
    this.#builds.write(build, browserFolder);
    const document = readFileSync(join(browserFolder, 'index.csr.html'));
    const folder = join(this.#folder, 'builds');
    const features = this.#keep === undefined ? [] : [withOldBuilds({ folder, keep: this.#keep })];
    const server = createNodeSsrServer({
      // Scripts are what differs between builds: the browser renders.
      engine: () => new Response(document, { headers: { 'Content-Type': 'text/html' } }),
      allowedHosts: [new URL(this.origin).host],
      files: { folder: browserFolder, encodings: [] },
      features,
      onError: (error) => void this.errors.push(error),
    });
    const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
    await server.ready();
    return { server, port, browserFolder, build };
  }

  async #end(instance: Instance | undefined): Promise<void> {
    if (instance === undefined) return;
    await instance.server.close();
    rmSync(instance.browserFolder, { recursive: true, force: true });
  }

  /** Plays the time between two deploys: what was marked as in use is so no more. */
  #age(): void {
    const folder = join(this.#folder, 'builds', 'root');
    for (const name of statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      const seconds = (statSync(path).mtimeMs - BETWEEN_DEPLOYS_MS) / 1000;
      utimesSync(path, seconds, seconds);
    }
  }
}
