import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Where servers and the load generator run: apart, where there are two cores to part them. */
export interface Cores {
  /** What to put before a server's command. */
  readonly serverPrefix: readonly string[];
  /** The same for a server that may use all cores: it would inherit the generator's. */
  readonly allPrefix: readonly string[];
  readonly description: string;
}

/** Puts this process on the last core it may use, and names the first for the servers. */
export function separateCores(): Cores {
  const together: Cores = {
    serverPrefix: [],
    allPrefix: [],
    description: 'servers and load generator share all cores',
  };
  if (!existsSync('/proc/self/status')) return together;
  const allowed = readFileSync('/proc/self/status', 'utf8').match(/Cpus_allowed_list:\s*(.*)/)?.[1];
  const cores = (allowed ?? '').split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  if (cores.length < 2) return together;
  try {
    execFileSync('taskset', ['-acp', String(cores.at(-1)), String(process.pid)]);
  } catch {
    return together;
  }
  return {
    serverPrefix: ['taskset', '-c', String(cores[0])],
    allPrefix: ['taskset', '-c', cores.join(',')],
    description: `servers on core ${cores[0]}, load generator on core ${cores.at(-1)}`,
  };
}
