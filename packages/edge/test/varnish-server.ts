import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteRun } from '../../../examples/material-app/test/deploy/run-log.ts';

const PROGRAM = process.env['VARNISHD_PATH'] ?? 'varnishd';
const VCL = join(import.meta.dirname, '../../../docs/deploy/varnish.vcl');

/** The secret in the environment of varnishd, as docs/cdn.md has it. */
export const PURGE_TOKEN = 'a-secret-of-these-tests';

/** Why tests with Varnish are skipped where there is none, and what would provide it. */
export const NO_VARNISH =
  'no varnishd with the module xkey: "apt-get install varnish varnish-modules", or set VARNISHD_PATH';

/**
 * Whether there is no Varnish with xkey on this machine; it says so.
 *
 * @throws when there is none and CI=true: there, no test may be skipped.
 */
export function isVarnishMissing(): boolean {
  if (spawnSync(PROGRAM, ['-C', '-f', VCL], { stdio: 'ignore' }).status === 0) return false;
  if (process.env['CI'] === 'true') throw new Error(NO_VARNISH);
  console.warn(`Tests with Varnish are skipped: ${NO_VARNISH}`);
  return true;
}

/** A varnishd of a test's own, with the VCL of docs/deploy, on a port that was free. */
export class VarnishServer {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  /** Keeps the port taken until varnishd starts. Otherwise the backend, which starts first, could get it. */
  #reservation: Server | undefined;
  #process: ChildProcess | undefined;
  #output = '';
  #token: string | undefined;

  private constructor(reservation: Server) {
    this.#reservation = reservation;
    this.#port = (reservation.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'ng-ssr-varnish-'));
  }

  /** Chooses its port, which the server behind it must know. */
  static async reserve(): Promise<VarnishServer> {
    const reservation = createServer().listen(0, '127.0.0.1');
    await once(reservation, 'listening');
    return new VarnishServer(reservation);
  }

  /**
   * @param backendPort - Of a server with the probe `/readyz`.
   * @param token - The secret for purges; null for a varnishd without one.
   */
  async start(backendPort: number, token: string | null = PURGE_TOKEN): Promise<void> {
    this.#token = token ?? undefined;
    const vcl = readFileSync(VCL, 'utf8')
      .replace('.port = "4000"', `.port = "${backendPort}"`)
      .replace('.interval = 2s', '.interval = 0.1s');
    writeFileSync(join(this.#folder, 'test.vcl'), vcl);
    await this.#run();
  }

  /** Ends it at once, with all it holds. */
  async kill(): Promise<void> {
    const ended = this.#process;
    this.#process = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    ended.kill('SIGKILL');
    await once(ended, 'close');
    // Its child ends with the pipe between them, a moment later: until then it answers, and has the port.
    while (!(await isFree(this.#port))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Starts again on the same port, empty. */
  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
  }

  async stop(): Promise<void> {
    await this.#endReservation();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #endReservation(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    if (reservation === undefined) return;
    reservation.close();
    await once(reservation, 'close');
  }

  async #run(): Promise<void> {
    const folder = join(this.#folder, 'work');
    await this.#endReservation();
    noteRun({ started: `${PROGRAM} -f varnish.vcl` });
    const started = spawn(
      PROGRAM,
      [
        ...['-F', '-j', 'none', '-n', folder, '-a', `127.0.0.1:${this.#port}`],
        ...['-f', join(this.#folder, 'test.vcl'), '-s', 'malloc,32m', '-T', 'none'],
        ...['-p', 'http_gzip_support=off', '-p', 'thread_pools=1', '-p', 'thread_pool_min=20'],
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, VARNISH_PURGE_TOKEN: this.#token },
      },
    );
    this.#process = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (text: Buffer) => (this.#output += text.toString()));
    }
    // It takes connections before its first probe: then it answers 503.
    for (;;) {
      if (started.exitCode !== null) throw new Error(`varnishd has ended: ${this.#output}`);
      const answer = await fetch(`${this.url}/-/ready`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 404 || answer?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}
