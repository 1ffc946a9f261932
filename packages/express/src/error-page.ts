import type { IncomingMessage, ServerResponse } from 'node:http';

/** What Express's error page reads in later turns of the event loop. */
const OF_REQUEST = [
  ...['httpVersionMajor', 'method', 'socket', 'complete', 'readable', 'upgrade', 'writableEnded'],
  ...['finished', 'unpipe', 'resume', 'on', 'removeListener'],
];
const OF_RESPONSE = [
  ...['headersSent', 'statusCode', 'statusMessage', 'writableEnded', 'socket'],
  ...['removeHeader', 'setHeader', 'end'],
];

/** Whether Express can answer with its error page: it would end the process if a member threw meanwhile. */
export function canShowErrorPage(request: IncomingMessage, response: ServerResponse): boolean {
  try {
    for (const name of OF_REQUEST) Reflect.get(request, name);
    for (const name of OF_RESPONSE) Reflect.get(response, name);
    return true;
  } catch {
    return false;
  }
}
