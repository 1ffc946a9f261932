import type { ContentCoding } from '../http/accept-encoding.ts';
import type { ConstantPage, RenderEngine } from '../engine.ts';
import { isOfConnection } from '../http/connection-fields.ts';
import { type DocumentNonce, markNonces } from '../nonce/document-nonce.ts';
import { pathOf } from '../target/target.ts';
import { HeldResource } from './held-resource.ts';
import type { CodingJob } from './make-codings.ts';

/** Fields that such a page cannot bring along: those of its bytes, and what is for one client. */
const UNFIT = new Set([
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'set-cookie',
]);

/** What constant pages are held with. */
export interface ConstantPagesOptions {
  readonly codings: readonly ContentCoding[];
  readonly nonce: DocumentNonce | undefined;
  /** Claims memory: false where there is no more. */
  readonly claim: (bytes: number) => boolean;
}

/** Pages of the engine that are the same for every request, held as built files are. */
export class ConstantPages {
  readonly #held = new Map<ConstantPage, HeldResource>();
  readonly #options: ConstantPagesOptions;
  readonly #startedAtMs = Math.floor(Date.now() / 1000) * 1000;
  #find: ((path: string) => ConstantPage | undefined) | undefined;

  constructor(options: ConstantPagesOptions) {
    this.#options = options;
  }

  /**
   * Asks the engine for its pages; until it has told, they are rendered.
   *
   * @returns the codings to be made. It never rejects: an engine that cannot start fails its renders, where
   * that is reported.
   */
  async ask({ constantPages }: RenderEngine): Promise<CodingJob[]> {
    const jobs: CodingJob[] = [];
    try {
      const told = await constantPages?.();
      if (told === undefined) return jobs;
      for (const page of told.pages) this.#hold(page, jobs);
      this.#find = (path) => told.find(path);
    } catch {
      this.#held.clear();
    }
    return jobs;
  }

  /** The page of a target, or undefined where none is certain. */
  find(target: string): HeldResource | undefined {
    if (this.#held.size === 0) return undefined;
    const page = this.#find?.(pathOf(target));
    return page && this.#held.get(page);
  }

  #hold(page: ConstantPage, jobs: CodingJob[]): void {
    const { nonce, codings, claim } = this.#options;
    const routeHeaders: Record<string, string> = {};
    for (const [name, value] of page.headers) {
      const field = name.toLowerCase();
      if (UNFIT.has(field) || isOfConnection(field, undefined)) return;
      routeHeaders[name] = value;
    }
    const { content } = page;
    const body = Buffer.from(nonce === undefined ? content : markNonces(content, nonce));
    if (!claim(body.byteLength)) return;
    const hasNonce = nonce !== undefined && body.includes(nonce.secret);
    const resource = new HeldResource('a page of the engine', body, {
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'no-cache',
      modifiedMs: this.#startedAtMs,
      isCoded: !hasNonce && codings.length > 0,
      status: page.status,
      routeHeaders,
    });
    this.#held.set(page, resource);
    if (!resource.isCoded) return;
    for (const coding of codings) jobs.push({ file: resource, coding, precompressed: undefined });
  }
}
