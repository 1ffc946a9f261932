/** A program: visitors at a rate, each on a connection of its own. */
import { connect } from 'node:net';
import type { OpenLoad, OpenSecond } from './open-load.ts';

const load = JSON.parse(process.argv[2]!) as OpenLoad & { readonly origin: string };
const { path, perSecond, patienceMs, mark, origin } = load;
const { hostname, port } = new URL(origin);
const seconds = Array.from({ length: load.seconds }, () => ({
  ...{ sent: 0, pages: 0, others: 0, without: 0 },
}));
const under: Promise<void>[] = [];

const startMs = performance.now();
const endMs = startMs + load.seconds * 1000;
let sent = 0;
for (let dueMs = startMs; ; dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
  if (dueMs >= endMs) break;
  const waitMs = dueMs - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  const second = seconds[Math.floor((dueMs - startMs) / 1000)]!;
  second.sent++;
  under.push(visit(`${path}${sent++}`).then((outcome) => void second[outcome]++));
}
await Promise.all(under);
process.send!(seconds satisfies OpenSecond[], () => process.disconnect());

/** Resolves with what has become of the visitor. Never rejects. */
function visit(target: string): Promise<'pages' | 'others' | 'without'> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    let isWhole = false;
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (received += chunk));
    socket.once('end', () => (isWhole = true));
    socket.once('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      if (!isWhole || !received.startsWith('HTTP/1.1 ')) return resolve('without');
      resolve(received.startsWith('HTTP/1.1 200 ') && received.includes(mark) ? 'pages' : 'others');
    });
    const headers = `Host: ${hostname}\r\nAccept: text/html\r\nConnection: close`;
    socket.write(`GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`);
  });
}
