import type { Seen, StoredServer } from '../pages/stored-server.ts';

/** Requests by the hundreds: each asker waits for its answer before it asks again. */
export interface Crowd {
  readonly requests: number;
  readonly askers: number;
  /** What is asked for. */
  readonly target: (asker: number, turn: number) => string;
}

/** Sends them all; gives how often each kind of answer came, by its status and telling headers. */
export async function askAll(
  server: StoredServer,
  { requests, askers, target }: Crowd,
): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  let left = requests;
  const ask = async (_: unknown, asker: number): Promise<void> => {
    for (let turn = 0; left > 0; turn++) {
      left--;
      const kind = kindOf(await server.get(target(asker, turn)));
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: askers }, ask));
  return kinds;
}

const HEADERS = ['cache-control', 'cache-status', 'retry-after', 'etag'];

function kindOf({ status, header, text }: Seen): string {
  const headers = HEADERS.filter((name) => header(name) !== undefined);
  const lines = headers.map((name) => `${name}: ${header(name)}`);
  return [status, ...lines, text.trim()].join(', ');
}
