import type { NgZone } from '@angular/core';
import type { Arrival } from './arrival.ts';

type OnArrival = (name: string, arrival: Arrival) => void;

/** Where the slots of a document are whose page has none: a cache has answered with it. */
export class SlotEndpoint {
  readonly #url: URL;
  readonly #zone: NgZone;
  readonly #onArrival: OnArrival;
  /** Names that were asked for, and of which nothing has come so far. */
  readonly #asked = new Set<string>();
  /** Those of the next request. */
  #next: string[] = [];

  private constructor(url: URL, zone: NgZone, onArrival: OnArrival) {
    this.#url = url;
    this.#zone = zone;
    this.#onArrival = onArrival;
  }

  /**
   * @param document - All of it must have arrived.
   * @returns undefined if its slots came with it, or nothing says where they are.
   */
  static of(document: Document, zone: NgZone, onArrival: OnArrival): SlotEndpoint | undefined {
    if (document.querySelector('script[data-ng-ssr-slots]') !== null) return undefined;
    const path = document.querySelector('meta[name="ng-ssr-slots"]')?.getAttribute('content');
    // Another origin would learn what the page asks for.
    if (!path || !/^\/(?![/\\])/.test(path)) return undefined;
    return new SlotEndpoint(new URL(path, document.location.origin), zone, onArrival);
  }

  /** Calls `onArrival` with a slot, once. What components ask for at the same time is one request. */
  ask(name: string, page: Location): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.#next.push(name);
    if (this.#next.length > 1) return;
    // A slow slot does not keep the application from being stable.
    this.#zone.runOutsideAngular(() =>
      queueMicrotask(() => {
        const names = this.#next;
        this.#next = [];
        void this.#get(names, page);
      }),
    );
  }

  async #get(names: readonly string[], { pathname, search }: Location): Promise<void> {
    let missing: Arrival = 'failed';
    try {
      const url = new URL(this.#url);
      url.searchParams.set('path', pathname + search);
      url.searchParams.set('names', names.join(','));
      const response = await fetch(url, { cache: 'no-store', credentials: 'same-origin' });
      if (response.ok) {
        await readElements(response, (name, text) => {
          this.#tell(name, text === '' ? 'failed' : { data: JSON.parse(text) });
        });
        missing = 'absent';
      }
    } catch {
      // The connection is gone, or a proxy has sent something else.
    }
    for (const name of names) this.#tell(name, missing);
  }

  #tell(name: string, arrival: Arrival): void {
    if (this.#asked.delete(name)) this.#onArrival(name, arrival);
  }
}

/** The text of a slot has no `<`: see `slot-script.ts` of the core. */
const ELEMENT = /<script type="application\/json" data-ng-ssr-slot="([\w-]+)">([^<]*)\n<\/script>/g;

/** Reads the elements of slots as they arrive, as data: nothing of it becomes a part of the document. */
async function readElements(
  response: Response,
  onElement: (name: string, text: string) => void,
): Promise<void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += read.value;
    // Only a whole element ends so.
    if (!text.endsWith('</script>')) continue;
    for (const [, name, json] of text.matchAll(ELEMENT)) onElement(name!, json!);
    text = '';
  }
}
