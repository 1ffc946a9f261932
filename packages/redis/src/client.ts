import { within } from '@ng-ssr/core/store';
import { RedisClient, RESP_TYPES } from '@redis/client';
import type { ResolvedOptions } from './options.ts';
import { scripts } from './scripts.ts';
import type { Address } from './servers.ts';

const LONGEST_RETRY_MS = 1_000;
// A connection without replies for this time is dead, whatever TCP says.
const DEAD_AFTER_MS = 5_000;
/** Connections without other traffic send PINGs: else nothing shows that they are dead. */
export const PING_INTERVAL_MS = 2_000;

/** A client with this package's scripts. */
export type Client = ReturnType<typeof createScriptClient>;
/** The same connection, with replies as Buffers. */
export type BytesClient = ReturnType<typeof inBytes>;
/** One server: its URL, or its address and the other options of `client`. */
export type Server = { readonly url: string } | Address;

/** Every supported server and proxy speaks RESP2, and nothing here needs RESP3. */
const COMMANDS = { scripts, RESP: 2 } as const;

const toFactory = () => RedisClient.factory(COMMANDS);
/**
 * `createClient` makes a class with all commands whenever the options differ from those of its last call, as they do
 * between the servers of a cluster: some 20 ms for each connection.
 */
let create: ReturnType<typeof toFactory> | undefined;

export function createScriptClient(options: ConnectOptions, server: Server, pingInterval?: number) {
  create ??= toFactory();
  return create({
    ...toClientOptions(options, server),
    ...COMMANDS,
    ...(pingInterval === undefined ? {} : { pingInterval }),
  });
}

export type ConnectOptions = Pick<ResolvedOptions, 'client'>;

/** How every client of this package connects. */
function toClientOptions({ client }: ConnectOptions, server: Server) {
  return {
    ...client,
    ...('url' in server ? { url: server.url } : {}),
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    // It would not apply once a command is written: `within` bounds the wait.
    commandOptions: { timeout: undefined as never },
    socket: {
      ...client.socket,
      ...('url' in server ? {} : { host: server.host, port: server.port }),
      socketTimeout: DEAD_AFTER_MS,
      reconnectStrategy: (retries: number) =>
        Math.min(50 * 2 ** retries, LONGEST_RETRY_MS) * (0.5 + Math.random() / 2),
    },
  } as const;
}

export function inBytes(client: Client) {
  return client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

/**
 * A connection for one question, such as where the slots are.
 *
 * @throws NoAnswerError when connecting and the reply take too long.
 */
export async function askOnce<T>(
  options: ConnectOptions,
  server: Server,
  question: (client: Client) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const client = createScriptClient(options, server);
  let lastError: unknown;
  client.on('error', (error: unknown) => (lastError = error));
  try {
    const asked = (async () => {
      await client.connect();
      return await question(client);
    })();
    const failed = new Promise<never>((_resolve, reject) => client.once('error', reject));
    return await within(Promise.race([asked, failed]), timeoutMs);
  } catch (error) {
    throw lastError ?? error;
  } finally {
    client.destroy();
  }
}
