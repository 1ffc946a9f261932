import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Calls back when at least this many bytes of heap remain after a full garbage collection: between two
 * collections a heap is mostly garbage.
 */
export function watchHeap(fullAtBytes: number, onFull: () => void): void {
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isMajor)) return;
    if (getHeapStatistics().used_heap_size >= fullAtBytes) onFull();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as { detail?: { kind?: number } };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
