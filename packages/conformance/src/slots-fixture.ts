import type { SlotOptions } from '@ng-ssr/core';

/** The header that slots of the fixture are made of: any cookie would select them, and other cases send some. */
export const USER_HEADER = 'x-slot-user';

const ROUTE = '/stored/slots/**';

function userOf(request: Request): string {
  return request.headers.get(USER_HEADER) ?? 'nobody';
}

/** Never settles by itself; the signal ends it. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the client has left')));
  });
}

/** How long the slot `late` of `/stored/slots/late` takes. */
export const LATE_MS = 150;

/** The slots of the profile `slots`. */
export const SLOTS: Readonly<Record<string, SlotOptions>> = {
  user: {
    routes: [ROUTE, '/about'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: (request) => ({ name: userOf(request), markup: '</script><b>\u2028' }),
  },
  island: {
    routes: ['/stored/islands/**'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: userOf,
    html: (name, { url }) =>
      url.endsWith('/broken') ? '<template>' : `<b>${name as string} ä</b>`,
  },
  session: {
    routes: ['/stored/slots/session'],
    fill: ({ headers }) => headers.get('cookie'),
  },
  late: {
    routes: ['/stored/slots/late'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: (request) => new Promise((resolve) => setTimeout(resolve, LATE_MS, userOf(request))),
  },
  broken: {
    routes: ['/stored/slots/broken'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: () => Promise.reject(new Error('the warehouse cannot be reached')),
  },
  hanging: {
    routes: ['/stored/slots/hanging'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: (_request, { signal }) => untilAborted(signal),
    timeoutMs: 100,
  },
  endless: {
    routes: ['/stored/slots/endless'],
    when: ({ headers }) => headers.has(USER_HEADER),
    fill: (_request, { signal }) => untilAborted(signal),
    timeoutMs: 60_000,
  },
};

/** The slot of the profile `late calls`. */
export const LATE_CALLS: Readonly<Record<string, SlotOptions>> = {
  time: {
    routes: ['/stored/slots/**'],
    when: ({ headers }) => headers.has(USER_HEADER),
    call: '/api/time?zone=utc',
  },
};

/** The endpoint of the profile `slot endpoint`. */
export const SLOT_ENDPOINT = '/_slots';
