import { type Agent, request } from 'node:http';

/** Asks for a page and reads it to its end. Rejects for any status but 200. */
export function fetchOnce(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'identity' };
    request(url, { agent, headers }, (answer) => {
      answer.once('error', reject);
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
      answer.resume();
    })
      .once('error', reject)
      .end();
  });
}
