import type { ContentEncoding } from '../http/accept-encoding.ts';
import type { ConstantPage, RenderEngine } from '../engine.ts';
import { CONNECTION_HEADERS } from '../http/header-list.ts';
import { markNonces } from '../document-nonce.ts';
import { pathOf } from '../http/target.ts';
import { insertPublicConfig } from '../insert-public-config.ts';
import type { FileTrait } from './file-forms.ts';
import { type FillOf, HeldResource } from './held-resource.ts';
import type { DocumentMarks } from './sent-content.ts';
import type { EncodingJob } from './make-encodings.ts';

/** Headers that exclude a page: those of its bytes, and those for one client. */
const UNFIT = new Set([
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'set-cookie',
]);

/** Options of {@link ConstantPages}. */
export interface ConstantPagesOptions extends DocumentMarks {
  readonly encodings: readonly ContentEncoding[];
  /** As in {@link HeldResource}. */
  readonly fillOf?: FillOf | undefined;
  /** Undefined if they have encodings alone. */
  readonly fileTrait?: FileTrait | undefined;
  /** Claims memory; false if there is no more. */
  readonly claim: (bytes: number) => boolean;
}

/** Pages of the engine that are the same for every request, held like built files. */
export class ConstantPages {
  readonly #held = new Map<ConstantPage, HeldResource>();
  readonly #options: ConstantPagesOptions;
  readonly #startedAtMs = Math.floor(Date.now() / 1000) * 1000;
  #routes: readonly string[] | undefined;
  #find: ((path: string) => ConstantPage | undefined) | undefined;

  constructor(options: ConstantPagesOptions) {
    this.#options = options;
  }

  /**
   * Gets the engine's pages; until it has returned them, they are rendered.
   *
   * @returns the encodings to be made. It never rejects: an engine that cannot start fails its renders,
   * which report it.
   */
  async ask({ constantPages }: RenderEngine): Promise<EncodingJob[]> {
    const jobs: EncodingJob[] = [];
    try {
      const told = await constantPages?.();
      if (told === undefined) return jobs;
      this.#routes = told.routes;
      for (const page of told.pages) this.#hold(page, jobs);
      this.#find = (path) => told.find(path);
    } catch {
      this.#held.clear();
    }
    return jobs;
  }

  /** The routes of the application; undefined if the engine has not said them. */
  get routes(): readonly string[] | undefined {
    return this.#routes;
  }

  /** The page of a target, or undefined if there is none or its route is uncertain. */
  find(target: string): HeldResource | undefined {
    if (this.#held.size === 0) return undefined;
    const page = this.#find?.(pathOf(target));
    return page && this.#held.get(page);
  }

  #hold(page: ConstantPage, jobs: EncodingJob[]): void {
    const { nonce, fillOf, publicConfig, encodings, fileTrait, claim } = this.#options;
    const routeHeaders: Record<string, string> = {};
    for (const [name, value] of page.headers) {
      const header = name.toLowerCase();
      if (UNFIT.has(header) || CONNECTION_HEADERS.has(header)) return;
      routeHeaders[name] = value;
    }
    const { content } = page;
    const marked = nonce === undefined ? content : markNonces(content, nonce);
    const body = Buffer.from(insertPublicConfig(marked, publicConfig));
    if (!claim(body.byteLength)) return;
    const hasNonce = nonce !== undefined && body.includes(nonce.secret);
    const resource = new HeldResource('a page of the engine', body, {
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'no-cache',
      // Another server, of another configuration, may have started earlier.
      modifiedMs: publicConfig === undefined ? this.#startedAtMs : undefined,
      isEncoded: !hasNonce && encodings.length > 0,
      forms: fileTrait?.ofConstantPages,
      fillOf,
      status: page.status,
      routeHeaders,
    });
    this.#held.set(page, resource);
    if (!resource.isEncoded) return;
    for (const encoding of encodings)
      jobs.push({ file: resource, encoding, precompressed: undefined });
  }
}
