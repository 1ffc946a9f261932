import { inject, REQUEST } from '@angular/core';

export type Failure = 'start' | 'navigation' | 'render';

/** Where the page `/boom` breaks: at the start of the application, or as its `at` says. */
export function failsAt(request: Request | null, at: Failure): boolean {
  if (!request) return false;
  const { pathname, searchParams } = new URL(request.url);
  return pathname === '/boom' && (searchParams.get('at') ?? 'start') === at;
}

/** An application initializer of the server: it rejects the render of `/boom`. */
export function failAtStart(): void {
  if (failsAt(inject(REQUEST, { optional: true }), 'start')) {
    throw new Error('This page fails at its start, on purpose.');
  }
}
