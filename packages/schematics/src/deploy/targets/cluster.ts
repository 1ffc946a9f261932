import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';

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
  return `// Runs the server in a process for each core, and replaces them one by one on SIGHUP.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

// Longer than the server's own drain.
const STOP_MS = ${STOP_SECONDS * 1000};

cluster.setupPrimary({ exec: \`\${import.meta.dirname}/${server}\` });

let isEnding = false;
let replacing = Promise.resolve();

async function start() {
  const worker = cluster.fork();
  worker.once('exit', async (code, signal) => {
    if (isEnding || worker.isReplaced) return;
    console.error(\`worker \${worker.process.pid} ended with \${signal ?? code}\`);
    await delay(1000);
    if (!isEnding) await start();
  });
  await Promise.race([once(worker, 'listening'), once(worker, 'exit')]);
  if (!worker.isDead()) console.log(\`worker \${worker.process.pid} listens\`);
  return worker;
}

/** Resolves when the worker has answered its requests and ended. */
async function stop(worker) {
  if (worker.isDead()) return;
  worker.isReplaced = true;
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}

async function replaceAll() {
  for (const worker of Object.values(cluster.workers)) {
    if (isEnding) return;
    const successor = await start();
    // A build that does not start leaves the workers that run.
    if (successor.isDead()) return;
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

for (let count = availableParallelism(); count > 0; count--) void start();
`;
}
