import { inject, Injectable, RESPONSE_INIT } from '@angular/core';

export interface PageResponseOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The status and headers of the response a page is rendered for. In the browser and while
 * prerendering there is no response, and setting it does nothing.
 */
@Injectable({ providedIn: 'root' })
export class PageResponse {
  private readonly init = inject(RESPONSE_INIT, { optional: true });

  set({ status, headers }: PageResponseOptions): void {
    if (!this.init) return;
    if (status !== undefined) this.init.status = status;
    if (!headers) return;
    const all = new Headers(this.init.headers);
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'set-cookie') all.append(name, value);
      else all.set(name, value);
    }
    this.init.headers = all;
  }
}
