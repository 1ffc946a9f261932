import {
  type Answer,
  callable,
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
 * Answers with a maintenance page in place of renders. Files and stored pages are answered as before, and nothing is
 * stored.
 */
export function withMaintenancePage(options: MaintenanceOptions): Feature {
  return {
    name: 'maintenance-page',
    install: () => {
      const { isOn, html } = readOptions('maintenance-page', options);
      const page = toAnswer(html);
      const substitute: Substitute = {
        // What the server asks for itself, such as the refresh of a stored page, would fail as well.
        answer: () => (isOn() ? page : undefined),
        says: () => (isOn() ? SAID : undefined),
      };
      return { substitutes: [substitute] };
    },
  };
}

/** One answer for all requests: the server takes the content off for HEAD. */
function toAnswer(html: string): Answer {
  const body = Buffer.from(html);
  const headers = [
    ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'no-store', 'Retry-After', '60'],
    ...['Cache-Status', 'ng-ssr; detail=maintenance'],
  ];
  return { status: 503, headers, body };
}

const SAID: Said = {
  answer: 'server',
  status: 503,
  reasons: ['The feature maintenance-page is on: it answers in place of renders.'],
};
