import { type BuildStore, type PublishedBuild, SsrError } from '@ng-ssr/core';
import { assertKnownOptions } from '@ng-ssr/core/adapter';
import { entityTag } from '@ng-ssr/etag';
import { ErrorReply } from '@redis/client';
import { CircuitOpenError } from './circuit-breaker.ts';
import { Connection } from './connection.ts';
import {
  type RedisPageStoreOptions,
  type ResolvedOptions,
  resolveOptions,
  describeServers,
} from './options.ts';
import type { Commands } from './redis-node.ts';
import { Refusals } from './refusals.ts';

/**
 * Options of {@link redisBuildStore}, as those of `redisPageStore()`; but `timeoutMs`, the wait for a look-up, is 250
 * by default.
 */
export type RedisBuildStoreOptions = Pick<
  RedisPageStoreOptions,
  'url' | 'cluster' | 'sentinel' | 'prefix' | 'timeoutMs' | 'client'
>;

/** Larger files are not shared: Redis would answer nothing else meanwhile. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A build is sent in commands of so many bytes, or one file. */
const COMMAND_BYTES = 1024 * 1024;
const PUBLISH_TIMEOUT_MS = 30_000;
/** So long the start of a server waits for Redis. */
const FIRST_CONNECTION_MS = 2_000;
/** What a process has left that was killed while it sent a build. */
const UNFINISHED_SECONDS = 10 * 60;
/** So long after its last server has ended. */
const BUILD_SECONDS = 30 * 24 * 60 * 60;
/** A build that a server has marked within this time stays, however many there are. */
const IN_USE_MS = 5 * 60 * 1000;
/** The most builds in which a file is looked for. */
const MOST_BUILDS = 50;

const DEFAULT_TIMEOUT_MS = 250;
const FACTORY = 'redisBuildStore';

/**
 * A store for `withOldBuilds()`: the servers of all builds share their hashed files in Redis 6.2 or later, or Valkey.
 * Files above 8 MiB are not shared. If Redis is unreachable, each server sends only its own files, and `onError` gets
 * `NG_SSR_BUILDS_UNAVAILABLE`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * features: [withOldBuilds({ store: redisBuildStore({ url: process.env['REDIS_URL'] }), keep: 3 })]
 * ```
 */
export function redisBuildStore(options: RedisBuildStoreOptions = {}): BuildStore {
  const names = ['url', 'cluster', 'sentinel', 'prefix', 'timeoutMs', 'client'];
  assertKnownOptions(options, names, FACTORY);
  const given = { timeoutMs: DEFAULT_TIMEOUT_MS, ...options };
  return new RedisBuildStore(resolveOptions(given, FACTORY));
}

/** A file of the own build that cannot be read. */
class UnreadableFile extends Error {
  toReport(): SsrError {
    const message = `${this.message} cannot be read: other servers cannot send the files of this build`;
    return new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause: this.cause });
  }
}

class RedisBuildStore implements BuildStore {
  readonly #options: ResolvedOptions;
  #base = '';
  #keep = 0;
  #connection!: Connection;
  #onError!: (error: SsrError) => void;
  #connected!: Promise<void>;
  #onConnected!: () => void;
  /** What Redis may not have yet. */
  #unsent: PublishedBuild | undefined;
  #sending: Promise<void> = Promise.resolve();
  readonly #refusals = new Refusals();
  /** Whether an unreadable file was reported. */
  #isUnreadable = false;

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  open({ baseHref, keep, onError }: Parameters<BuildStore['open']>[0]): void {
    // In braces, so that all keys have one slot in a cluster.
    this.#base = `${this.#options.prefix}:builds:{${encodeURIComponent(baseHref) || '%'}}`;
    this.#keep = keep;
    this.#onError = onError;
    this.#connected = new Promise((resolve) => (this.#onConnected = resolve));
    this.#connection = new Connection(this.#options, {
      onUsable: () => {
        if (!this.#connection.isUsable(this.#base)) return;
        const build = this.#unsent;
        this.#unsent = undefined;
        if (build !== undefined) this.#sending = this.#publish(build);
        this.#onConnected();
      },
      onOutage: (cause) => this.#report('is unreachable', cause),
    });
    this.#connection.open();
  }

  async publish(build: PublishedBuild): Promise<void> {
    if (!this.#connection.isUsable(this.#base)) {
      // It is sent when Redis answers: a server does not wait for that any longer.
      this.#unsent = build;
      await Promise.race([this.#connected, wait(FIRST_CONNECTION_MS)]);
      return this.#sending;
    }
    await this.#publish(build);
  }

  async #publish(build: PublishedBuild): Promise<void> {
    const key = this.#keyOf(build.id);
    await this.#reporting(async () => {
      const found = await this.#write(({ client }) => client.exists(key));
      if (found === 0) await this.#send(key, build);
      await this.#write(async ({ client }) => {
        await client.expire(key, BUILD_SECONDS);
        const nowMs = await now(client);
        await client.zAdd(this.#base, { score: nowMs, value: build.id });
        await client.expire(this.#base, BUILD_SECONDS);
        await this.#removeOld(client, build.id, nowMs);
      });
      this.#isUnreadable = false;
    });
  }

  async find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const look = async ({ client, bytes }: Commands): Promise<void> => {
      const ids = await client.zRange(this.#base, 0, MOST_BUILDS - 1, { REV: true });
      // The newest first: each file is read once, however many builds have it.
      for (const id of ids) {
        const missing = paths.filter((path) => !found.has(path));
        if (missing.length === 0) break;
        (await this.#valuesOf(bytes, id, missing)).forEach((value, at) => {
          const content = value && decode(value);
          if (content) found.set(missing[at]!, content);
        });
      }
    };
    await this.#reporting(() => this.#run(look, this.#options.timeoutMs));
    return found;
  }

  /** None of a key that another program has written. */
  async #valuesOf(
    bytes: Commands['bytes'],
    id: string,
    paths: readonly string[],
  ): Promise<readonly (Buffer | null)[]> {
    try {
      return await bytes.hmGet(this.#keyOf(id), [...paths]);
    } catch (error) {
      if (error instanceof ErrorReply && error.message.startsWith('WRONGTYPE')) return [];
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connection.close(0);
  }

  /** All of it, or nothing: it gets its name at the end. */
  async #send(key: string, { files }: PublishedBuild): Promise<void> {
    const unfinished = `${key}:${crypto.randomUUID()}`;
    let fields: Record<string, Buffer> = {};
    let bytes = 0;
    const flush = async (): Promise<void> => {
      await this.#write(async ({ client }) => {
        if (bytes > 0) await client.hSet(unfinished, fields);
        await client.expire(unfinished, UNFINISHED_SECONDS);
      });
      fields = {};
      bytes = 0;
    };
    for (const { path, read } of files) {
      const content = await read().catch(async (cause: unknown) => {
        // It is tried again every minute: what is there already would come together.
        await this.#write(({ client }) => client.unlink(unfinished));
        throw new UnreadableFile(path, { cause });
      });
      if (content.byteLength > MOST_BYTES) continue;
      fields[path] = encode(content);
      bytes += fields[path].byteLength;
      if (bytes >= COMMAND_BYTES) await flush();
    }
    await flush();
    await this.#write(async ({ client }) => {
      // A build without such files has no key, and none is missed.
      if ((await client.exists(unfinished)) === 1) await client.rename(unfinished, key);
    });
  }

  async #removeOld(client: Commands['client'], own: string, nowMs: number): Promise<void> {
    const all = await client.zRangeWithScores(this.#base, 0, -1, { REV: true });
    const others = all.filter(({ value }) => value !== own);
    const old = others.slice(this.#keep).filter(({ score }) => nowMs - score >= IN_USE_MS);
    for (const { value } of old) {
      await client.zRem(this.#base, value);
      await client.unlink(this.#keyOf(value));
    }
  }

  #keyOf(id: string): string {
    return `${this.#base}:${id}`;
  }

  /** Commands of a publication. Files are read between them: an unreadable one is no outage of Redis. */
  #write<T>(command: (commands: Commands) => Promise<T>): Promise<T> {
    return this.#run(command, PUBLISH_TIMEOUT_MS);
  }

  #run<T>(command: (commands: Commands) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.#connection.run(this.#base, command, timeoutMs);
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof UnreadableFile) {
        if (!this.#isUnreadable) this.#onError(error.toReport());
        this.#isUnreadable = true;
        return;
      }
      // Outages are reported once; a refusal, such as that of a full Redis, is none.
      const isAway = !this.#connection.isUsable(this.#base) || error instanceof CircuitOpenError;
      if (isAway || (error instanceof ErrorReply && this.#connection.isTransient(error))) return;
      if (this.#refusals.isFirst()) this.#report('rejects a command', error);
    }
  }

  #report(what: string, cause: unknown): void {
    const message = `${describeServers(this.#options)} ${what}: files of other builds are not found`;
    this.#onError(new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause }));
  }
}

/** The time in milliseconds by the clock of Redis: those of servers differ. */
async function now(client: Commands['client']): Promise<number> {
  const [seconds] = await client.sendCommand<[string, string]>(['TIME']);
  return Number(seconds) * 1000;
}

/** The content after its ETag: another program may have written the key, and bytes are kept for a year. */
function encode(content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${entityTag(content)}\n`), content]);
}

/** @returns undefined for what `encode` has not made. */
function decode(value: Buffer): Uint8Array | undefined {
  const end = value.subarray(0, 100).indexOf('\n');
  const content = value.subarray(end + 1);
  return end > 0 && entityTag(content) === value.toString('latin1', 0, end) ? content : undefined;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
