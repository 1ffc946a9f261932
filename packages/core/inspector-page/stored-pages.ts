import type { InspectedPage, InspectorPages } from '../src/features/inspector/protocol.ts';
import { bytes, count, seconds } from './amounts.ts';
import { byId, element, fill, foreign, row, setText, visible } from './dom.ts';
import { readPages, SignedOut } from './server.ts';
import { toReason } from './purging.ts';

const PER_PAGE = 50;
const TYPING_MS = 250;
/** Of more pages a list costs the server too much to be made again and again. */
const MOST_REFRESHED = 5000;
const REFRESH_MS = 3000;

/** What the buttons of a row do. */
export interface RowActions {
  explain(path: string): void;
  purge(path: string): void;
}

/** The table of cached pages: searched, ordered and cut into parts by the server. */
export class StoredPages {
  readonly #actions: RowActions;
  readonly #rows = byId('pages-rows');
  readonly #search = byId<HTMLInputElement>('pages-search');
  readonly #earlier = byId<HTMLButtonElement>('pages-earlier');
  readonly #later = byId<HTMLButtonElement>('pages-later');
  #sort = 'recent';
  #offset = 0;
  #found = 0;
  #asked = 0;
  #readAtMs = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: RowActions) {
    this.#actions = actions;
    this.#search.addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#show(0), TYPING_MS);
    });
    this.#earlier.addEventListener('click', () => this.#show(this.#offset - PER_PAGE));
    this.#later.addEventListener('click', () => this.#show(this.#offset + PER_PAGE));
    byId('pages-refresh').addEventListener('click', () => this.#show(this.#offset));
    for (const button of document.querySelectorAll<HTMLButtonElement>('#pages-table th button')) {
      button.addEventListener('click', () => this.#order(button));
    }
  }

  /** Reads the list again, if that is cheap and the reader does not work in it. */
  refresh(stored: number): void {
    const isDue = performance.now() - this.#readAtMs >= REFRESH_MS;
    // A dialog gives the focus back to the row that has opened it.
    const isUsed =
      this.#rows.contains(document.activeElement) ||
      document.querySelector('dialog[open]') !== null;
    if (this.#asked === 0 || (isDue && !isUsed && stored <= MOST_REFRESHED))
      this.#show(this.#offset);
  }

  /** Reads the list again, at once. */
  reload(): void {
    this.#show(this.#offset);
  }

  #order(button: HTMLButtonElement): void {
    const { sort = 'recent' } = button.dataset;
    this.#sort = this.#sort === sort ? `-${sort}` : sort;
    for (const header of document.querySelectorAll('#pages-table th[aria-sort]')) {
      header.removeAttribute('aria-sort');
    }
    const direction = this.#sort.startsWith('-') ? 'descending' : 'ascending';
    button.closest('th')?.setAttribute('aria-sort', direction);
    this.#show(0);
  }

  #show(offset: number): void {
    this.#offset = Math.max(0, offset);
    this.#readAtMs = performance.now();
    void this.#read(++this.#asked);
  }

  async #read(asked: number): Promise<void> {
    const query = { search: this.#search.value, sort: this.#sort };
    const part = { limit: String(PER_PAGE), offset: String(this.#offset) };
    try {
      const read = await readPages({ ...query, ...part });
      // A later answer counts.
      if (asked === this.#asked) this.#fill(read);
    } catch (error) {
      if (error instanceof SignedOut) return location.reload();
      setText(byId('pages-found'), `Not listed: ${toReason(error)}`);
    }
  }

  #fill({ found, pages }: InspectorPages): void {
    this.#found = found;
    if (this.#offset > 0 && this.#offset >= found) {
      return this.#show(Math.floor(Math.max(0, found - 1) / PER_PAGE) * PER_PAGE);
    }
    const isUsed = this.#rows.contains(document.activeElement);
    const label = isUsed ? document.activeElement!.getAttribute('aria-label') : null;
    const hasSites = new Set(pages.map(({ key }) => siteOf(key))).size > 1;
    fill(
      this.#rows,
      pages.map((page) => this.#toRow(page, hasSites)),
      'No cached page.',
    );
    // Keep the focus for keyboard users: on the same button, or on the search if its row is gone.
    if (isUsed) (this.#buttonOf(label) ?? this.#search).focus();
    const last = this.#offset + pages.length;
    const shown = pages.length === 0 ? '0' : `${count(this.#offset + 1)} to ${count(last)}`;
    setText(byId('pages-found'), `${shown} of ${count(found)} pages`);
    this.#earlier.disabled = this.#offset === 0;
    this.#later.disabled = last >= this.#found;
  }

  #buttonOf(label: string | null): HTMLElement | undefined {
    const buttons = [...this.#rows.querySelectorAll<HTMLElement>('button')];
    return buttons.find((button) => button.getAttribute('aria-label') === label);
  }

  /** @param hasSites - Whether the list has pages of several sites. */
  #toRow(page: InspectedPage, hasSites: boolean): HTMLTableRowElement {
    const { path, status, state, ageSeconds, ttlSeconds, tags, hits, encodings } = page;
    return row(
      toName(page.key, hasSites),
      this.#toActions(path, toUrl(page)),
      String(status),
      element('span', { class: `state state-${state}` }, state),
      seconds(ageSeconds),
      seconds(ttlSeconds),
      bytes(page.bytes),
      count(hits),
      encodings.join(' ') || '–',
      element('span', { class: 'tags' }, visible(tags.join(', ')) || '–'),
    );
  }

  #toActions(path: string, url: string): HTMLElement {
    const shown = visible(path);
    const explain = element(
      'button',
      { type: 'button', 'aria-label': `Explain ${shown}` },
      'Explain',
    );
    explain.addEventListener('click', () => this.#actions.explain(url));
    const purge = element('button', { type: 'button', 'aria-label': `Purge ${shown}` }, 'Purge');
    purge.addEventListener('click', () => this.#actions.purge(path));
    return element('span', { class: 'actions' }, explain, purge);
  }
}

/** The URL of a page: its path alone if the key hides values of the query. */
function toUrl({ key, path }: InspectedPage): string {
  const [site = '', target = ''] = key.split('\n');
  return target.startsWith('/') && !target.includes('...') ? site + target : path;
}

function siteOf(key: string): string {
  return key.slice(0, key.indexOf('\n'));
}

/** What sets a page apart from others: its target, and below it the site and the digests of what its content varies on. */
function toName(key: string, hasSites: boolean): HTMLElement {
  const [site = '', target = '', ...variant] = key.split('\n');
  const below = hasSites ? [site, ...variant] : variant;
  const name = element('div', {}, foreign(target));
  for (const part of below) name.append(element('small', {}, foreign(part)));
  return name;
}
