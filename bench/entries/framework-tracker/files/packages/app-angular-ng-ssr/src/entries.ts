import { inject, makeStateKey, PLATFORM_ID, TransferState } from '@angular/core';
import { isPlatformServer } from '@angular/common';
import type { TableEntry } from '../../testdata/src/ssr';

const ENTRIES = makeStateKey<TableEntry[]>('entries');

/** The rows of the server, which the browser gets with the page. */
export async function resolveEntries(): Promise<TableEntry[]> {
  const state = inject(TransferState);
  if (isPlatformServer(inject(PLATFORM_ID))) {
    const { testData } = await import('../../testdata/src/ssr');
    const entries = await testData();
    state.set(ENTRIES, entries);
    return entries;
  }
  return state.get(ENTRIES, []);
}

/** Rows that the browser makes. */
export function generateEntries(): TableEntry[] {
  return Array.from({ length: 1000 }, () => ({
    id: crypto.randomUUID(),
    name: crypto.randomUUID(),
  }));
}
