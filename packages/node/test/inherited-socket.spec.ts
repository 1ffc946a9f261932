import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readSocket } from '../src/adapter/inherited-socket.ts';

const PROGRAM = fileURLToPath(new URL('socket-program.ts', import.meta.url));
const isWindows = process.platform === 'win32';

interface Told {
  readonly url?: string;
  readonly port?: number;
  readonly left?: string;
  readonly error?: string;
}

/** Starts the program as systemd does: with a socket that listens as descriptor 3. */
async function activate(
  socket: Server,
  {
    adapter = 'node',
    listen = {},
    count = '1',
    threads,
  }: { adapter?: string; listen?: object; count?: string; threads?: number },
): Promise<Told> {
  const handle = (socket as Server & { _handle: { fd: number } })._handle;
  const start = `LISTEN_PID=$$ LISTEN_FDS=${count} exec "$0" "$@"`;
  const parameters = [process.execPath, PROGRAM, adapter, JSON.stringify(listen)];
  if (threads !== undefined) parameters.push(String(threads));
  const child = spawn('sh', ['-c', start, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit', handle.fd],
  });
  // This process accepts nothing: what connects from now on is the child's.
  socket.close();
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return JSON.parse(line) as Told;
}

async function listening(options: ListenOptions): Promise<Server> {
  const socket = createServer().listen(options);
  await once(socket, 'listening');
  return socket;
}

describe.skipIf(isWindows)('the socket of systemd', () => {
  test.each(['node', 'fastify'])('is the one that %s serves', async (adapter) => {
    const socket = await listening({ port: 0, host: '127.0.0.1' });
    const { port } = socket.address() as AddressInfo;
    const told = await activate(socket, { adapter });
    expect(told).toEqual({ url: `http://localhost:${port}/`, port });
    expect(await (await fetch(`http://127.0.0.1:${port}/page`)).text()).toBe('page');
  });

  test('may be one of the file system', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-socket-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'shop.sock');
    const { rename } = await import('node:fs/promises');
    const socket = await listening({ path });
    // A close would remove it.
    await rename(path, `${path}.kept`);
    expect(await activate(socket, {})).toEqual({ url: 'http://localhost:0/', port: 0 });
    const asked = request({
      socketPath: `${path}.kept`,
      path: '/page',
      headers: { host: 'localhost' },
    });
    asked.end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test('is one: of several the program takes its own', async () => {
    const refused = await activate(await listening({ port: 0, host: '127.0.0.1' }), { count: '2' });
    expect(refused.error).toContain('allowed: 1; with several sockets, listen({ fd }) takes one');
    const socket = await listening({ port: 0, host: '127.0.0.1' });
    const { port } = socket.address() as AddressInfo;
    expect(await activate(socket, { count: '2', listen: { fd: 3 } })).toMatchObject({ port });
  });

  test('has one thread', async () => {
    const socket = await listening({ port: 0, host: '127.0.0.1' });
    const { error } = await activate(socket, { threads: 2 });
    expect(error).toContain('an inherited socket has one thread; remove the feature');
  });
});

describe('which socket', () => {
  afterEach(() => vi.unstubAllEnvs());
  const inherit = (pid: number): void => {
    vi.stubEnv('LISTEN_PID', String(pid));
    vi.stubEnv('LISTEN_FDS', '1');
  };

  test('that of systemd is taken once', () => {
    inherit(process.pid);
    expect([readSocket({}), readSocket({})]).toEqual([3, undefined]);
  });

  test('that of another process is not taken', () => {
    inherit(process.pid + 1);
    expect(readSocket({})).toBeUndefined();
  });

  test.each([{ port: 0 }, { host: '127.0.0.1' }])('%o is an address of its own', (options) => {
    inherit(process.pid);
    expect(readSocket(options)).toBeUndefined();
    expect(readSocket({})).toBe(3);
  });

  test.each([{ fd: -1 }, { fd: 1.5 }, { fd: '3' as never }, { fd: 3, port: 80 }])(
    '%o is refused',
    (options) => {
      expect(() => readSocket(options)).toThrow(
        'allowed: a file descriptor (a number), without listen.port and listen.host',
      );
    },
  );
});
