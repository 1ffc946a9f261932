import { setMaxListeners } from 'node:events';
import type { PageStore, Purge, SsrError, StoredEntry, StoredPage } from '@ng-ssr/core';
import { digestOf, timeLimit, within } from '@ng-ssr/core/store';
import { bodyDigest, bodyName, brotliIn, encodeBody } from './body-format.ts';
import { BodyTier } from './body-tier.ts';
import { frameNone, frameStub, frameWhole, readFrame, type Stub } from './frames.ts';
import { type ResolvedOptions, resolveOptions, type TieredPageStoreOptions } from './options.ts';
import { Writes } from './writes.ts';

/** Separates its entries from those of an index that is used alone: frames are no pages. */
const BUILD_SUFFIX = '.tiered-1';
/** How long `close` waits for bodies on their way: a server waits for five seconds, of which the index needs some. */
const CLOSE_MS = 2_000;
/** Of further purges while its body was read, a page is given up. */
const MOST_LOOKUPS = 3;

/**
 * A store for `withSharedStore()` with more pages than fit into Redis. The index has the entries of pages, purges and
 * leases; the bodies are in folders and buckets, compressed, by their digests. If a store of bodies is down, slow or
 * damaged, its pages come from the next one or are rendered, and `onError` gets `NG_SSR_STORE_UNAVAILABLE` once per outage.
 *
 * @param options - Times in milliseconds, sizes in bytes.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * features: [
 *   withSharedStore(
 *     tieredPageStore({
 *       index: redisPageStore({ url: process.env['REDIS_URL'] }),
 *       bodies: [
 *         folderBodies({ folder: '/var/cache/shop', maxBytes: 20_000_000_000 }),
 *         s3Bodies({ endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'shop-pages' }),
 *       ],
 *     }),
 *   ),
 * ]
 * ```
 */
export function tieredPageStore(options: TieredPageStoreOptions): PageStore {
  return new TieredPageStore(resolveOptions(options));
}

/** What a store of bodies has of a page. */
type Content = Pick<StoredPage, 'body' | 'brotli'>;

/** A page whose body is on its way. */
interface Sending {
  isDeleted: boolean;
}

class TieredPageStore implements PageStore {
  #options: ResolvedOptions;
  readonly #index: PageStore;
  readonly #writes: Writes;
  readonly #ended = new AbortController();
  /** By key: a page that is deleted meanwhile must not come back. */
  readonly #sending = new Map<string, Set<Sending>>();
  #isClosing = false;
  /** The nearest first. */
  #tiers: readonly BodyTier[] = [];
  /** As {@link PageStore.invalidate}; missing if the index has none. */
  readonly invalidate?: (path: string) => Promise<void>;

  constructor(options: ResolvedOptions) {
    const { index } = options;
    this.#options = options;
    this.#index = index;
    this.#writes = new Writes(options.maxPendingBytes);
    // One for each call.
    setMaxListeners(0, this.#ended.signal);
    if (index.invalidate) this.invalidate = (path) => index.invalidate!(path);
  }

  open({ buildId, onPurge, onError, isFilling }: Parameters<PageStore['open']>[0]): void {
    const writeTimeoutMs = timeLimit(this.#options.writeTimeoutMs, isFilling);
    this.#options = { ...this.#options, writeTimeoutMs };
    const report = (error: SsrError): void => {
      if (!this.#isClosing) onError(error);
    };
    this.#tiers = this.#options.bodies.map(
      (store) =>
        new BodyTier(store, report, this.#ended.signal, timeLimit(store.timeoutMs, isFilling)),
    );
    this.#index.open({ buildId: `${buildId}${BUILD_SUFFIX}`, onPurge, onError, isFilling });
  }

  version(): number {
    return this.#index.version();
  }

  async get(key: string): ReturnType<PageStore['get']> {
    let held: (Stub & Content) | undefined;
    for (let lookups = 0; lookups < MOST_LOOKUPS; lookups++) {
      const version = this.#index.version();
      const found = await this.#index.get(key);
      if (found === undefined || !('body' in found.entry)) return found;
      const { isPurged } = found;
      const framed = readFrame(found.entry);
      if (framed === undefined) return undefined;
      const { page, stub } = framed;
      if (stub === undefined) return { entry: page, isPurged };
      if (held?.digest.equals(stub.digest)) return { entry: filled(page, held), isPurged };
      if (sizeOf(page, stub.length) > this.#options.maxEntryBytes) return undefined;
      const content = await this.#find(stub);
      if (content === undefined) return undefined;
      if (this.#index.version() === version) return { entry: filled(page, content), isPurged };
      // The index has learned of a purge meanwhile: it is asked again, the body is not.
      held = { ...stub, ...content };
    }
    return undefined;
  }

  async set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void> {
    if (!('body' in entry)) return this.#index.set(key, entry, version, seconds);
    const { inlineBytes, maxEntryBytes } = this.#options;
    const { byteLength } = entry.body;
    const isTooLarge = sizeOf(entry, byteLength) > maxEntryBytes;
    // An empty body has no frame, so it is in the index in any case.
    if ((byteLength === 0 || byteLength < inlineBytes) && !isTooLarge) {
      return this.#index.set(key, frameWhole(entry), version, seconds);
    }
    if (!(seconds > 0)) return;
    // From here on a closed index could be asked.
    if (this.#isClosing) return;
    const note = (): Promise<void> => this.#note(entry, version, seconds);
    if (isTooLarge) return note();
    const sending: Sending = { isDeleted: false };
    const stored = this.#writes.add(byteLength, () =>
      this.#store(key, entry, version, seconds, sending)
        .catch(note)
        .finally(() => this.#sent(key, sending)),
    );
    if (stored === undefined) return note();
    this.#sending.set(key, (this.#sending.get(key) ?? new Set()).add(sending));
    // A server leaves a page store alone that takes 500 ms.
    await within(stored, this.#options.writeTimeoutMs).catch(note);
  }

  delete(key: string): Promise<void> {
    for (const sending of this.#sending.get(key) ?? []) sending.isDeleted = true;
    return this.#index.delete(key);
  }

  purge(purge: Purge): Promise<void> {
    return this.#index.purge(purge);
  }

  lease(key: string, path: string): ReturnType<PageStore['lease']> {
    return this.#index.lease(key, path);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await within(this.#writes.idle(), CLOSE_MS).catch(() => undefined);
    this.#ended.abort();
    await this.#index.close();
  }

  /** The body from the first store that has it. Those before it get it. */
  async #find(stub: Stub): Promise<Content | undefined> {
    for (const [at, tier] of this.#tiers.entries()) {
      const found = await tier.read(stub);
      if (found === undefined) continue;
      this.#writeBehind(this.#tiers.slice(0, at), bodyName(stub.digest), found.stored);
      return { body: found.body, brotli: brotliIn(found.stored) };
    }
    return undefined;
  }

  /** First the body, then the stub: no process finds a stub whose body is still on its way. */
  async #store(
    key: string,
    page: StoredPage,
    version: number,
    seconds: number,
    sending: Sending,
  ): Promise<void> {
    const startMs = performance.now();
    const { body } = page;
    const digest = bodyDigest(body);
    const name = bodyName(digest);
    const stored = await encodeBody(page);
    const near = this.#tiers.slice(0, -1);
    let isStored = await this.#tiers.at(-1)!.write(name, stored);
    if (isStored) this.#writeBehind(near, name, stored);
    // This machine at least has it then.
    else
      isStored = (await Promise.all(near.map((tier) => tier.write(name, stored)))).includes(true);
    if (this.#ended.signal.aborted) return;
    const leftSeconds = seconds - (performance.now() - startMs) / 1000;
    if (!isStored || sending.isDeleted) return this.#note(page, version, leftSeconds);
    const stub = { digest, length: body.byteLength };
    await this.#index.set(key, frameStub(page, stub), version, leftSeconds);
  }

  #sent(key: string, sending: Sending): void {
    const ofKey = this.#sending.get(key);
    ofKey?.delete(sending);
    if (ofKey?.size === 0) this.#sending.delete(key);
  }

  #writeBehind(tiers: readonly BodyTier[], name: string, stored: Uint8Array): void {
    for (const tier of tiers) {
      if (!tier.takes(stored.byteLength) || this.#isClosing) continue;
      void this.#writes.add(stored.byteLength, async () => void (await tier.write(name, stored)));
    }
  }

  /**
   * Has the index note the path of a page that it does not have, or not yet: a process has it in memory, from where an
   * invalidation must remove it. An earlier page of the key stays.
   */
  #note(page: StoredPage, version: number, seconds: number): Promise<void> {
    return this.#index.set(`no body\t${digestOf(page.path)}`, frameNone(page), version, seconds);
  }
}

function filled(page: StoredPage, { body, brotli }: Content): StoredPage {
  // Of a page with offsets for nonces, each answer has another content.
  return { ...page, body, ...(page.nonceAt === undefined && brotli && { brotli }) };
}

/** As an index counts it, roughly: the body and the headers. */
function sizeOf({ headers }: StoredPage, length: number): number {
  return headers.reduce((size, text) => size + text.length, length);
}
