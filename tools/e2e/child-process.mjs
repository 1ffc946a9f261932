import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { countCpu, countRun } from './time-spent.mjs';

/** The children that run now, to be stopped when this program is. */
const running = new Set();

/** Stops a child and what it has started: each is the leader of a process group of its own. */
function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export function stopAll() {
  for (const child of running) kill(child, 'SIGKILL');
}

function start(command, args, { cwd, env }) {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => {
    countCpu(command, args);
    running.delete(child);
  });
  return child;
}

/**
 * Runs a program to its end.
 *
 * @returns What it has printed, on both streams.
 * @throws Error with the end of that, when it fails or takes longer than `limitMs`.
 */
export async function run(command, args, { cwd, env, limitMs = 240_000, mayFail = false }) {
  const begun = performance.now();
  const child = start(command, args, { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const limit = setTimeout(() => kill(child, 'SIGKILL'), limitMs);
  const [code, signal] = await once(child, 'close');
  clearTimeout(limit);
  countRun(command, args, (performance.now() - begun) / 1000);
  const said = stripVTControlCharacters(output);
  if (code !== 0 && !mayFail) {
    const why = signal === null ? `ended with ${code}` : `was stopped after ${limitMs / 1000} s`;
    throw new Error(
      `${command} ${args.join(' ')} ${why}:\n${said.slice(0, 2000)}\n${said.slice(2000).slice(-2000)}`,
    );
  }
  return { code, output: said };
}

/**
 * Starts a server and waits until it says where it listens.
 *
 * @param ready - Matches what it prints then.
 * @returns `output()`, all it has printed so far, and `stop()`.
 */
export async function serve(command, args, { cwd, env, ready, limitMs = 60_000 }) {
  const child = start(command, args, { cwd, env });
  let output = '';
  const isReady = new Promise((resolve, reject) => {
    const fail = (why) =>
      reject(new Error(`${command} ${args.join(' ')} ${why}:\n${output.slice(-3000)}`));
    const limit = setTimeout(() => fail(`was not ready after ${limitMs / 1000} s`), limitMs);
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      fail(`ended with ${code ?? signal}`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += stripVTControlCharacters(text);
        if (!ready.test(output)) return;
        clearTimeout(limit);
        resolve();
      });
    }
  });
  const stop = async () => {
    if (!running.has(child)) return;
    const ended = once(child, 'exit');
    kill(child, 'SIGTERM');
    const limit = setTimeout(() => kill(child, 'SIGKILL'), 5000);
    await ended;
    clearTimeout(limit);
    kill(child, 'SIGKILL');
  };
  try {
    await isReady;
  } catch (error) {
    await stop();
    throw error;
  }
  return { output: () => output, stop };
}
