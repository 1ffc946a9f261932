import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where servers and the load generator run: apart, where there are two cores to part them. */
export interface Cores {
  /** What to put before a server's command. */
  readonly serverPrefix: readonly string[];
  /** The same for a server that may use all cores: it would inherit the generator's. */
  readonly allPrefix: readonly string[];
  /** What to put before the load generator's command where it is to use all cores. */
  readonly generatorOnAll: readonly string[];
  /** How many cores there are for both. */
  readonly count: number;
  readonly description: string;
}

/**
 * Gives every process the same layout of its address space, where that may be asked for: under a random
 * one a process can be a fifth slower than the next of the same program, from its start to its end.
 */
const SAME_LAYOUT = ['setarch', '-R'] as const;

/** Puts this process on the last core it may use, and names the first for the servers. */
export function separateCores(): Cores {
  const layout = canFixLayout() ? SAME_LAYOUT : [];
  const suffix = layout.length > 0 ? ', address spaces not randomised' : '';
  const together: Cores = {
    serverPrefix: layout,
    allPrefix: layout,
    generatorOnAll: [],
    count: availableParallelism(),
    description: `servers and load generator share all cores${suffix}`,
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
    serverPrefix: [...layout, 'taskset', '-c', String(cores[0])],
    allPrefix: [...layout, 'taskset', '-c', cores.join(',')],
    generatorOnAll: ['taskset', '-c', cores.join(',')],
    count: cores.length,
    description: `servers on core ${cores[0]}, load generator on core ${cores.at(-1)}${suffix}`,
  };
}

/** Containers may forbid it. */
function canFixLayout(): boolean {
  try {
    execFileSync(SAME_LAYOUT[0], [SAME_LAYOUT[1], 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
