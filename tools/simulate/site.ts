import { hashOf, randomFrom, scatter, zipf } from './random.ts';
import type { Scenario } from './scenario.ts';

/** The number of different lengths of pages. Pages of one length share one buffer. */
const LENGTHS = 16;

/** The header of the time at which a render has read its data. */
export const DATA_HEADER = 'x-data-at';

/** The pages of a simulated site. */
export class Site {
  readonly host = 'shop.example';
  readonly #bodies: readonly Uint8Array<ArrayBuffer>[];
  readonly #tagPages: number;
  readonly #tags: string[];

  constructor({ pages, pageKb, pageSpread, tagPages }: Scenario) {
    this.#tagPages = tagPages;
    this.#tags = Array.from({ length: Math.ceil(pages / tagPages) }, (_, at) => `group-${at}`);
    this.#bodies = Array.from({ length: LENGTHS }, (_, at) => {
      const factor = 1 + pageSpread * ((2 * at) / (LENGTHS - 1) - 1);
      // Not Buffer.alloc(): small ones would be parts of a larger buffer, which is copied.
      return Buffer.from(new ArrayBuffer(Math.round(pageKb * 1000 * factor)));
    });
  }

  bodyOf(page: number): Uint8Array<ArrayBuffer> {
    return this.#bodies[hashOf(page) % LENGTHS]!;
  }

  tagOf(page: number): string {
    return this.#tags[this.groupOf(page)]!;
  }

  groupOf(page: number): number {
    return Math.floor(page / this.#tagPages);
  }

  pathOf(page: number): string {
    return `/p/${page}`;
  }

  /** The page of a path, a URL or a key without variant. */
  pageIn(text: string): number {
    return Number(text.slice(text.lastIndexOf('/') + 1));
  }

  /** The headers of a page, of a build, that was rendered with data of a time. */
  headersOf(page: number, dataMs: number): string[] {
    return [
      ...['content-type', 'text/html; charset=utf-8', 'cache-tag', this.tagOf(page)],
      ...['etag', `"${page}-${dataMs}"`, DATA_HEADER, String(dataMs)],
    ];
  }
}

/** A request for a page, at one of the machines. */
export interface PageRequest {
  page: number;
  /** 0 without the cookie. */
  variant: number;
  /** From 0 to below 1: which of the machines that are there. */
  machine: number;
}

/** The same requests for the same scenario, in a simulation and for real servers. */
export function requestsOf(scenario: Scenario): () => PageRequest {
  const { seed, pages, varyShare, variants } = scenario;
  const random = randomFrom(seed);
  const rank = zipf(pages, scenario.zipf, random);
  const pageOf = scatter(pages);
  return () => {
    const page = pageOf(rank());
    const isVaried = varyShare > 0 && random() < varyShare;
    const variant = isVaried ? 1 + Math.floor(random() * variants) : 0;
    return { page, variant, machine: random() };
  };
}
