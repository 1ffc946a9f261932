import { isPlatformServer } from '@angular/common';
import { inject, makeStateKey, PLATFORM_ID, TransferState } from '@angular/core';

export interface Entry {
  readonly id: string;
  readonly name: string;
}

const ENTRIES = makeStateKey<Entry[]>('entries');

/** The rows of the server, which the browser gets with the page. */
export async function resolveEntries(): Promise<Entry[]> {
  const state = inject(TransferState);
  if (!isPlatformServer(inject(PLATFORM_ID))) return state.get(ENTRIES, []);
  const { testData } = await import('testdata');
  const entries = await testData();
  state.set(ENTRIES, entries);
  return entries;
}
