import { Injectable } from '@angular/core';
import type MiniSearch from 'minisearch';
import { find, type Found } from './find';
import { FIELDS, type SearchEntry } from './search-entry';

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
    return find(await this.load(), words);
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
