import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';
import { OutageReport } from '../../outage-report.ts';
import type { DownstreamCache } from '../../pages/downstream-cache.ts';
import type { Purge } from '../../purge.ts';
import { channelOf } from '../../telemetry/channels.ts';
import { withinDeadline } from '../../timers.ts';
import type { Edge } from './edge.ts';
import { EdgeQueue } from './edge-queue.ts';
import { tagOfPath, tagOfPurge } from './edge-tags.ts';
import type { OfferedPaths } from './offered-paths.ts';

/** Invalidations beyond this number of purges that wait are dropped: any client can cause them. */
const MOST_WAITING = 10_000;
/** How long the end of a server waits for purges that are not confirmed yet. */
const MOST_CLOSE_MS = 5000;

const channel = channelOf('ng-ssr:edge');

/**
 * Purges the edge, after memory and store, so that it cannot fetch an old page again; and a second time after
 * `settleMs`. Answers that are made after a purge never have the edge keep a page from before it, but one that had
 * left this server already may reach the edge later than the purge.
 */
export class EdgePurges implements DownstreamCache {
  readonly kind = 'edge';
  readonly #edge: Edge;
  readonly #offered: OfferedPaths;
  readonly #outage: OutageReport;
  readonly #queue: EdgeQueue;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();

  constructor(edge: Edge, offered: OfferedPaths, onError: (error: SsrError) => void) {
    this.#edge = edge;
    this.#offered = offered;
    this.#outage = new OutageReport(onError);
    this.#queue = new EdgeQueue(edge, (tags, durationMs, cause) => {
      if (cause === undefined) this.#outage.succeed();
      if (!channel.hasSubscribers) return;
      channel.publish({ edge: edge.name, tags, durationMs, isConfirmed: cause === undefined });
    });
  }

  /**
   * @param purge - Its path or prefix is that of routes.
   * @param done - What has been purged before, for the error.
   * @returns resolves when the edge has confirmed the second purge.
   * @throws SsrError `NG_SSR_EDGE_UNAVAILABLE`
   */
  async purge(purge: Purge, done: string): Promise<void> {
    try {
      await this.#track(this.#twice(tagOfPurge(purge), purge.hard !== true));
    } catch (cause) {
      throw this.#unavailable(`${JSON.stringify(purge)}: ${done}`, cause);
    }
  }

  /** Purges a page hard, if the edge may have got it from this process. Never throws. */
  invalidate(path: string): void {
    const tag = tagOfPath(path);
    if (!this.#offered.mayHave(tag)) return;
    if (this.#queue.length >= MOST_WAITING) {
      this.#outage.fail(this.#unavailable(path, new Error(`${MOST_WAITING} purges wait`)));
      return;
    }
    this.#track(this.#twice(tag, false)).catch((cause: unknown) =>
      this.#outage.fail(this.#unavailable(`of the changed page ${path}`, cause)),
    );
  }

  /** Sends second purges at once, and resolves when all have ended, within bounds. */
  async close(): Promise<void> {
    this.#closing.abort();
    const ended = Promise.allSettled(this.#inFlight).then(() => undefined);
    await withinDeadline(ended, MOST_CLOSE_MS, 'the purges').catch((cause: unknown) =>
      this.#outage.fail(this.#unavailable('at the end of this server', cause)),
    );
  }

  async #twice(tag: string, isSoft: boolean): Promise<void> {
    await this.#queue.send(tag, isSoft);
    const { settleMs } = this.#edge;
    if (settleMs === 0) return;
    await wait(settleMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    await this.#queue.send(tag, isSoft);
  }

  async #track(purged: Promise<void>): Promise<void> {
    this.#inFlight.add(purged);
    try {
      await purged;
    } finally {
      this.#inFlight.delete(purged);
    }
  }

  #unavailable(what: string, cause: unknown): SsrError {
    const message =
      `${this.#edge.name} did not confirm the purge ${what}; it may serve the old pages until they expire. ` +
      `Purge again (${messageOf(cause)})`;
    return new SsrError('NG_SSR_EDGE_UNAVAILABLE', message, { cause });
  }
}
