/**
 * A primary process of node:cluster with two workers, and so busy that connections and messages wait for it. On SIGHUP it
 * replaces one worker after the other, as often as it is told, and writes a line on stderr when it is done.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { writeSync } from 'node:fs';

const BUSY_MS = 3;
const [program, settings, replacements] = JSON.parse(process.argv[2]!) as [string, object, number];
cluster.setupPrimary({ exec: program, args: [JSON.stringify(settings)] });

async function start(): Promise<Worker> {
  const worker = cluster.fork();
  await once(worker, 'listening');
  return worker;
}

const turn = new Int32Array(new SharedArrayBuffer(4));
setInterval(() => Atomics.wait(turn, 0, 0, BUSY_MS), 1);

const started = Promise.all([start(), start()]);

process.once('SIGHUP', async () => {
  let workers = await started;
  for (let count = 0; count < replacements; count++) {
    const [oldest, other] = workers;
    workers = [other, await start()];
    await end(oldest);
  }
  writeSync(2, 'replaced\n');
});
process.once('SIGTERM', async () => {
  await Promise.all(Object.values(cluster.workers!).map((worker) => end(worker!)));
  process.exit();
});

async function end(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit') as Promise<[code: number | null, signal: string | null]>;
  worker.process.kill('SIGTERM');
  const [code, signal] = await exited;
  if (code !== 0) writeSync(2, `a worker has ended with ${signal ?? code}\n`);
}
