import { type ChildProcess, spawn } from 'node:child_process';
import { ASKS, type Asks } from '../probe/probe-message.ts';

/** What is loaded before the program. */
const PROBE = new URL('../probe/probe.js', import.meta.url).href;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const running = new Set<ChildProcess>();

/**
 * Starts a program with the probe. It ends with this process, however busy it is, and so does all that it has started:
 * a process that spins would notice neither a signal to this process nor its end.
 */
export function startProgram(
  program: string,
  asks: Asks,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ChildProcess {
  const child = spawn(process.execPath, ['--import', PROBE, program], {
    cwd,
    env: { ...env, [ASKS]: JSON.stringify(asks) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // On POSIX this makes a process group; on Windows it would open a console.
    detached: process.platform !== 'win32',
  });
  if (running.size === 0) {
    process.on('exit', endAll);
    // A program that fills the page store finishes what it has begun.
    if (asks.isFilling !== true) for (const signal of SIGNALS) process.on(signal, endWith);
  }
  running.add(child);
  child.once('exit', () => endProgram(child));
  return child;
}

/** Ends a program and all that it has started. */
export function endProgram(child: ChildProcess): void {
  if (!running.delete(child)) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of the group have ended.
  }
  if (running.size > 0) return;
  process.off('exit', endAll);
  for (const signal of SIGNALS) process.off(signal, endWith);
}

function endAll(): void {
  for (const child of running) endProgram(child);
}

/** Once its handlers are removed, the signal ends this process. */
function endWith(signal: NodeJS.Signals): void {
  endAll();
  process.kill(process.pid, signal);
}
