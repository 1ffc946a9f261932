import http from 'node:http';
import https from 'node:https';

/** An answer as it came, content encoding and all. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** All that came over the connection: head, body, and what frames it. */
  readonly wireBytes: number;
}

const DEFAULTS: Readonly<Record<string, string>> = { accept: 'text/html', 'user-agent': 'bench' };

/** The headers of a request, with those that a bare one has where they are missing. */
export function withDefaults(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const missing = Object.entries(DEFAULTS).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(missing), ...headers };
}

/** One GET over a persistent connection of its own, whose answer is the one that a load gets. */
export function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const isSecure = url.startsWith('https:');
  const options = { keepAlive: true, maxSockets: 1 };
  // The benchmark's certificates are signed by themselves.
  const agent = isSecure
    ? new https.Agent({ ...options, rejectUnauthorized: false })
    : new http.Agent(options);
  return new Promise<RawAnswer>((resolve, reject) => {
    const send = isSecure ? https.request : http.request;
    send(url, { headers: withDefaults(headers), agent }, (answer) => {
      const chunks: Buffer[] = [];
      const { socket } = answer; // At the end it is the agent's again.
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks),
          wireBytes: socket.bytesRead,
        }),
      );
    })
      .once('error', reject)
      .end();
  }).finally(() => agent.destroy());
}
