import { Injectable } from '@angular/core';
import type MiniSearch from 'minisearch';
import { FIELDS, type SearchEntry } from './search-entry';

export interface Found {
  /** Its address: `/caching#the-key`. */
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly heading: string;
}

const MOST = 12;

/** The index of all pages, loaded when a reader first searches. */
@Injectable({ providedIn: 'root' })
export class SearchIndex {
  #index: Promise<MiniSearch<SearchEntry>> | undefined;

  /** Loads the index; the next search tries again where it could not be loaded. */
  load(): Promise<MiniSearch<SearchEntry>> {
    this.#index ??= loadIndex().catch((error: unknown) => {
      this.#index = undefined;
      throw error;
    });
    return this.#index;
  }

  async find(words: string): Promise<readonly Found[]> {
    const index = await this.load();
    const found = index.search(words).slice(0, MOST);
    return found.map(({ id, ...rest }) => ({ ...(rest as unknown as Found), id: String(id) }));
  }
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const [{ default: Index }, response] = await Promise.all([
    import('minisearch'),
    fetch('/search.json'),
  ]);
  if (!response.ok) throw new Error(`/search.json is ${response.status}`);
  return Index.loadJSONAsync(await response.text(), FIELDS);
}
