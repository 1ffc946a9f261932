import type { CallsSettings, RenderThreadsSettings, ServerDescription } from '@ng-ssr/core';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';

const MIB = 1024 * 1024;
/** What Node, V8's heap of the main thread and the application take at least. */
const PROGRAM_BYTES = 128 * MIB;

/** Bounds of memory and threads, beside what the cgroup allows. */
export const checkLimits: Check = (facts) => [...checkMemory(facts), ...checkCores(facts)];

const checkMemory: Check = ({ server, machine }) => {
  const { description, threads = 1 } = server ?? {};
  const { memoryLimitBytes } = machine;
  if (description === undefined || memoryLimitBytes === undefined) return [];
  const { cache, features, files } = description;
  const calls = features['calls'] as CallsSettings | undefined;
  const renders = renderThreadsOf(description);
  const parts = {
    'cache.maxBytes': cache?.maxBytes ?? 0,
    'calls.maxBytes': calls?.maxBytes ?? 0,
    'files.maxBytes': files.maxBytes,
    [`${renders.threads} x withRenderThreads.maxHeapBytes`]: renders.threads * renders.maxHeapBytes,
    'the program': PROGRAM_BYTES * threads,
  };
  const sum = Object.values(parts).reduce((all, each) => all + each, 0);
  if (sum <= memoryLimitBytes) return [];
  const list = Object.entries(parts)
    .filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => `${name} ${toMib(bytes)}`);
  return [
    {
      id: 'memory-limit',
      severity: 'error',
      found: `The limit is ${toMib(memoryLimitBytes)}; the server may take ${toMib(sum)}: ${list.join(', ')}.`,
      why: 'The kernel kills the process at the limit, with all its requests.',
      fix: `cache: { maxBytes: ${share(memoryLimitBytes, 4)} }, files: { maxBytes: ${share(memoryLimitBytes, 8)} }`,
    },
  ];
};

const checkCores: Check = ({ server, machine }) => {
  const { description, threads = 1 } = server ?? {};
  const { cpuQuota } = machine;
  if (description === undefined || cpuQuota === undefined) return [];
  const renderThreads = renderThreadsOf(description).threads;
  const busy = threads + renderThreads;
  if (busy <= Math.max(1, Math.ceil(cpuQuota))) return [];
  const allowed = Math.max(0, Math.floor(cpuQuota) - 1);
  const features = [
    ...(renderThreads + allowed > 0 ? [`withRenderThreads({ threads: ${allowed} })`] : []),
    ...(threads > 1 ? ['withServerThreads({ threads: 1 })'] : []),
  ];
  const finding: Finding = {
    id: 'cpu-quota',
    severity: 'warning',
    found: `The quota is ${cpuQuota} cores; ${threads} server and ${renderThreads} render threads need ${busy}.`,
    why: 'When the quota of a period is used up, the kernel stops all threads, including those that send cached pages.',
    fix: `features: [${features.join(', ')}]`,
  };
  return [finding];
};

function renderThreadsOf({ features }: Pick<ServerDescription, 'features'>): RenderThreadsSettings {
  const settings = features['render-threads'] as RenderThreadsSettings | undefined;
  return settings ?? { threads: 0, maxHeapBytes: 0 };
}

function toMib(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`;
}

/** A part of the limit, in whole millions. */
function share(bytes: number, part: number): string {
  return `${Math.max(1, Math.floor(bytes / part / 1e6))}_000_000`;
}
