import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine, or the container, that the server is to run in: here the doctor runs in it. */
export interface MachineFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  /** Of the cgroup; undefined without a limit. */
  readonly memoryLimitBytes: number | undefined;
  readonly memoryBytes: number;
  /** Cores that the cgroup may use, such as 0.5; undefined without a quota. */
  readonly cpuQuota: number | undefined;
  readonly isContainer: boolean;
}

/** @param root - The folder that has `sys`, `proc` and `.dockerenv`: `/`. */
export function readMachine(root: string, env: NodeJS.ProcessEnv): MachineFacts {
  const memory = ['sys/fs/cgroup/memory.max', 'sys/fs/cgroup/memory/memory.limit_in_bytes'];
  const limit = memory.map((path) => readNumber(join(root, path))).find((bytes) => bytes);
  const memoryBytes = totalmem();
  return {
    env,
    nodeVersion: process.versions.node,
    // Version 1 writes "no limit" as a number above every memory.
    memoryLimitBytes: limit !== undefined && limit < memoryBytes ? limit : undefined,
    memoryBytes,
    cpuQuota: readQuota(root),
    isContainer:
      env['KUBERNETES_SERVICE_HOST'] !== undefined ||
      ['.dockerenv', 'run/.containerenv'].some((path) => readText(join(root, path)) !== undefined),
  };
}

function readQuota(root: string): number | undefined {
  // "50000 100000": microseconds of each period; "max" without a quota.
  const [quota, period] = (readText(join(root, 'sys/fs/cgroup/cpu.max')) ?? '').split(/\s+/);
  if (Number(quota) > 0 && Number(period) > 0) return Number(quota) / Number(period);
  const folder = join(root, 'sys/fs/cgroup/cpu');
  const quotaUs = readNumber(join(folder, 'cpu.cfs_quota_us'));
  const periodUs = readNumber(join(folder, 'cpu.cfs_period_us'));
  return quotaUs && periodUs ? quotaUs / periodUs : undefined;
}

/** Undefined for a file that is missing, and for "max" and -1. */
function readNumber(path: string): number | undefined {
  const number = Number.parseInt(readText(path) ?? '', 10);
  return number > 0 ? number : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
