import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** How a program has ended; undefined if it took too long and was stopped. */
export type ExitCode = number | undefined;

/** The process groups of programs that run, which end with this one. */
const running = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const pid of running) stop(pid);
    console.log('Stopped. tmp/faults is left: delete it, or run this again.');
    process.exit(1);
  });
}

/** Runs a program in a process group of its own, so that it ends with all that it has started. */
export function runProgram(
  command: string,
  options: readonly string[],
  place: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly log: string;
    readonly limitMs: number;
  },
): Promise<ExitCode> {
  const { cwd, env, log, limitMs } = place;
  const output = createWriteStream(log, { flags: 'a' });
  const child = spawn(command, options, { cwd, env, detached: true, stdio: 'pipe' });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  child.stdin.end();
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (pid !== undefined) stop(pid);
    }, limitMs);
    const end = (): void => {
      clearTimeout(timer);
      if (pid === undefined) return;
      // What its tests have left behind.
      stop(pid);
      running.delete(pid);
    };
    child.once('error', (error) => {
      end();
      reject(error);
    });
    child.once('exit', (code) => {
      end();
      resolve(isLate ? undefined : (code ?? 1));
    });
  });
}

function stop(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
