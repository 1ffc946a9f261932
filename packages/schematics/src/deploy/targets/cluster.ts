import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';
import { scriptString } from '../quoting.ts';

export const cluster: DeployTarget = {
  title: 'node:cluster',
  page: 'cluster.md',
  files: (deployment) => ({ 'cluster.mjs': program(deployment) }),
  steps: ({ build }) => [
    `${build} && NODE_ENV=production NG_ALLOWED_HOSTS=your.host node cluster.mjs`,
    'After each deployment: kill -HUP the process, which replaces its workers one by one.',
  ],
};

function program({ server }: Deployment): string {
  return `// Runs the server in one process per core. SIGHUP replaces the processes one by one.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

// Longer than shutdown.timeoutMs (10 s).
const STOP_MS = ${STOP_SECONDS * 1000};

cluster.setupPrimary({ exec: join(import.meta.dirname, ${scriptString(server)}) });

let isEnding = false;
// Workers that are starting.
const starting = new Set();
let replacing = Promise.resolve();

/** Starts a worker. Resolves to the worker when it listens, or to undefined if it exits before. */
function start() {
  const started = fork().finally(() => starting.delete(started));
  starting.add(started);
  return started;
}

async function fork() {
  const worker = cluster.fork();
  const { pid } = worker.process;
  const listens = await Promise.race([
    once(worker, 'listening').then(() => true),
    once(worker, 'exit').then(() => false),
  ]);
  if (!listens) {
    console.error(\`worker \${pid} exited before it listened\`);
    return undefined;
  }
  console.log(\`worker \${pid} listens\`);
  worker.once('exit', (code, signal) => {
    if (isEnding || worker.isReplaced) return;
    console.error(\`worker \${pid} exited with \${signal ?? code}\`);
    void startUntilOneListens();
  });
  return worker;
}

async function startUntilOneListens() {
  while (!isEnding && (await start()) === undefined) await delay(1000);
}

/** Stops a worker. Resolves when it has finished its requests and exited. */
async function stop(worker) {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}

async function replaceAll() {
  await Promise.all(starting);
  for (const worker of Object.values(cluster.workers)) {
    if (isEnding) return;
    // It crashed, and its exit handler starts another one.
    if (worker.isDead()) continue;
    // Even if it crashes from here on, the new worker is its successor.
    worker.isReplaced = true;
    const successor = await start();
    if (successor === undefined) {
      // If the new build does not start, keep the running workers.
      worker.isReplaced = false;
      if (worker.isDead()) void startUntilOneListens();
      console.error('The new build does not start: the running workers stay.');
      return;
    }
    await stop(worker);
    console.log(\`worker \${successor.process.pid} has replaced \${worker.process.pid}\`);
  }
}

async function end() {
  if (isEnding) process.exit(1);
  isEnding = true;
  await Promise.all(Object.values(cluster.workers).map(stop));
  process.exit(0);
}

process.on('SIGHUP', () => (replacing = replacing.then(replaceAll)));
process.on('SIGTERM', end);
process.on('SIGINT', end);

for (let count = availableParallelism(); count > 0; count--) void startUntilOneListens();
`;
}
