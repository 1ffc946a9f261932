/**
 * `npm run soak:aborts -w packages/node`: 100,000 downloads of a large file that their client leaves,
 * against the server of each adapter: before the answer, in its head, somewhere in the content, with
 * and without a reset. Arguments: `--aborts 100000`, `--only node,koa`, `--connections 64`, `--seed 1`.
 *
 * It fails when the server has more descriptors afterwards than before, holds the file open, has grown
 * by more than MOST_GROWTH_MB in the second half, has said something on stderr, or does not send the
 * whole file any more. In the first half the allocator comes to its size: a server of 100 MB has 330 MB
 * after 40,000 aborts and stays there. Linux, for /proc.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '@ng-ssr/conformance/fuzz';
import { LARGE_BYTES, writeBuiltFolder } from '../shutdown/built-folder.ts';
import { toServer } from '../shutdown/servers.ts';
import { type Child, startChild } from '../shutdown/start-child.ts';

/** Of 50,000 aborts each may leave behind 671 bytes: less than the objects of one request. */
const MOST_GROWTH_MB = 32;
/** With fewer the memory is shown and not judged. */
const FEWEST_TO_JUDGE = 50_000;
/** More than the socket buffers of both ends take: the server reads on while the client does. */
const MOST_READ_BYTES = 4 * 1024 * 1024;
/** The kernel and the server have so long to close what was left. */
const SETTLE_MS = 30_000;
const HEAD_BYTES = 256;

if (process.platform !== 'linux') throw new Error('descriptors are counted in /proc, on Linux');

const { values } = parseArgs({
  options: {
    aborts: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'node,koa,express,fastify,hono,h3' },
    connections: { type: 'string', default: '64' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const aborts = Number(values.aborts);
const connections = Number(values.connections);
console.log(`seed ${values.seed}`);
const random = new Random(Number(values.seed));
const { folder: browserFolder, remove } = writeBuiltFolder();
const file = join(browserFolder, 'large.bin');

interface State {
  readonly descriptors: number;
  /** Descriptors of the large file. */
  readonly openFiles: number;
  readonly rssMb: number;
}

const table: Record<string, object> = {};
for (const name of values.only.split(',')) {
  const server = toServer(name);
  if (server === undefined) continue;
  const settings = { browserFolder, shutdown: {}, maxFileBytes: 1024 * 1024 };
  const child = await startChild(server.program, settings, server.command);
  try {
    table[name] = await soak(name, child);
  } finally {
    child.process.kill('SIGKILL');
    await child.exited;
  }
}
remove();
console.table(table);

async function soak(name: string, child: Child): Promise<object> {
  await download(child.port);
  const before = await settled(child, undefined);
  const tenth = Math.ceil(aborts / 10);
  const startMs = performance.now();
  let half = before;
  let most = before;
  for (let done = 0; done < aborts;) {
    const count = Math.min(tenth, aborts - done);
    await abortMany(child.port, count, () => (most = largest(most, stateOf(child))));
    done += count;
    const state = stateOf(child);
    if (done <= aborts / 2) half = state;
    console.log(`${name} ${done}/${aborts}: ${show(state)}`);
  }
  const seconds = (performance.now() - startMs) / 1000;
  const after = await settled(child, before.descriptors);
  const whole = await download(child.port);
  const errors = await stderrOf(child);

  const growthMb = after.rssMb - half.rssMb;
  const problems = [
    after.descriptors > before.descriptors && `${after.descriptors} descriptors are open`,
    after.openFiles > 0 && `the file is open ${after.openFiles} times`,
    aborts >= FEWEST_TO_JUDGE &&
      growthMb > MOST_GROWTH_MB &&
      `it has grown by ${growthMb} MB, more than ${MOST_GROWTH_MB}`,
    !whole && 'it does not send the whole file any more',
    errors !== '' && `it said ${errors.slice(0, 500)}`,
  ].filter((problem) => problem !== false);
  for (const problem of problems) console.log(`${name}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  return {
    aborts,
    'a second': Math.round(aborts / seconds),
    'descriptors before': before.descriptors,
    'at most': most.descriptors,
    after: after.descriptors,
    'RSS before (MB)': before.rssMb,
    'at half': half.rssMb,
    'at the end': after.rssMb,
    holds: problems.length === 0,
  };
}

async function abortMany(port: number, count: number, look: () => void): Promise<void> {
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      if (begun++ % 1000 === 0) look();
      await abort(port);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** Asks for the file and leaves. */
function abort(port: number): Promise<void> {
  const isReset = random.chance(0.5);
  // A third leave before the answer, a third near its beginning, a third further on.
  const readBytes = random.below(random.pick([1, HEAD_BYTES, MOST_READ_BYTES]));
  const range = random.chance(0.2) ? `Range: bytes=${random.below(1000)}-\r\n` : '';
  // All connections would use up the ports of one address.
  const localAddress = `127.0.${random.below(250)}.${1 + random.below(250)}`;
  return new Promise((resolve, reject) => {
    let leftBytes = readBytes;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const leave = (): void => void (isReset ? socket.resetAndDestroy() : socket.destroy());
    socket.once('connect', () => {
      socket.write(`GET /large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n${range}\r\n`, () => {
        if (readBytes === 0) leave();
      });
    });
    socket.on('data', ({ length }) => {
      leftBytes -= length;
      if (leftBytes <= 0) leave();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** Whether the file comes whole. */
async function download(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/large.bin`, {
    headers: { connection: 'close' },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
  return bytes.length === LARGE_BYTES && digest(bytes) === digest(readFileSync(file));
}

/** The state once the server has closed what was left: no more descriptors than before. */
async function settled(child: Child, descriptors: number | undefined): Promise<State> {
  const endMs = performance.now() + SETTLE_MS;
  for (let earlier = stateOf(child); ;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const state = stateOf(child);
    const wanted = descriptors ?? earlier.descriptors;
    if (state.descriptors <= wanted || performance.now() > endMs) return state;
    earlier = state;
  }
}

function stateOf({ process: { pid } }: Child): State {
  const folder = `/proc/${pid}/fd`;
  const paths = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // Closed in between.
      return undefined;
    }
  });
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return {
    descriptors: paths.filter((path) => path !== undefined).length,
    openFiles: paths.filter((path) => path === file).length,
    rssMb: Math.round(Number(kilobytes) / 1024),
  };
}

function largest(a: State, b: State): State {
  return {
    descriptors: Math.max(a.descriptors, b.descriptors),
    openFiles: Math.max(a.openFiles, b.openFiles),
    rssMb: Math.max(a.rssMb, b.rssMb),
  };
}

function show({ descriptors, openFiles, rssMb }: State): string {
  return `${descriptors} descriptors, ${openFiles} of the file, ${rssMb} MB`;
}

/** What it said; it is ended for that. */
async function stderrOf(child: Child): Promise<string> {
  child.process.kill('SIGTERM');
  const { code, errors } = await child.exited;
  return code === 0 ? errors : `it ended with ${code}: ${errors}`;
}
