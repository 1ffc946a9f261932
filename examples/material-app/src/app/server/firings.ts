import { inject, Injectable, makeStateKey, REQUEST, TransferState } from '@angular/core';

/** One render of a page on the server. */
export interface Firing {
  /** How many times this process has rendered the page, this time included. */
  readonly count: number;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** One map for all renders of the process. Names come from the shop's data, so it stays small. */
const counts = new Map<string, number>();

/**
 * Counts the renders of pages, so that one can see which pages are stored: a stored page keeps its
 * number. What was rendered is told to the browser, which keeps it through hydration.
 */
@Injectable({ providedIn: 'root' })
export class Firings {
  private readonly state = inject(TransferState);
  private readonly request = inject(REQUEST, { optional: true });

  /** The server's render of a page; undefined for a page that the browser has drawn alone. */
  of(name: string): Firing | undefined {
    const key = makeStateKey<Firing>(`firing.${name}`);
    if (this.request && !this.state.hasKey(key)) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      this.state.set(key, { count, at: Date.now() });
    }
    return this.state.get<Firing | undefined>(key, undefined);
  }
}
