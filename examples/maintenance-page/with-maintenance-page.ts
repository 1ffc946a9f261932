import {
  callable,
  createAnswer,
  type Feature,
  group,
  type Said,
  type Substitute,
  text,
  withDefault,
} from '@ng-ssr/core/plug';

/** Options of {@link withMaintenancePage}. */
export interface MaintenanceOptions {
  /** Asked for each request that needs a render: whether the API is down for maintenance, for example. */
  readonly isOn: () => boolean;
  /** The HTML of the page. Default: one sentence. */
  readonly html?: string | undefined;
}

const readOptions = group<{ readonly isOn: () => boolean; readonly html: string }>({
  isOn: callable<() => boolean>('a function () => boolean'),
  html: withDefault(
    text(/./s, 'HTML'),
    '<!doctype html><title>Maintenance</title><p>We are back in a few minutes.</p>',
  ),
});

/**
 * Answers with a maintenance page in place of renders and stale pages. Files and fresh pages are answered as before, and
 * nothing is stored.
 */
export function withMaintenancePage(options: MaintenanceOptions): Feature {
  return {
    name: 'maintenance-page',
    install: () => {
      const { isOn, html } = readOptions('maintenance-page', options);
      // One answer for all requests: the server takes the content off for HEAD.
      const page = createAnswer('maintenance', html, {
        status: 503,
        headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '60' },
      });
      const substitute: Substitute = {
        // What the server asks for itself, such as the refresh of a stored page, would fail as well.
        answer: () => (isOn() ? page : undefined),
        says: () => (isOn() ? SAID : undefined),
      };
      return { substitutes: [substitute] };
    },
  };
}

const SAID: Said = {
  answer: 'server',
  status: 503,
  reasons: ['The feature maintenance-page is on: it answers in place of renders.'],
};
