import { DOCUMENT, ElementRef, inject, InjectionToken, NgZone } from '@angular/core';
import type { Arrival } from './arrival.ts';
import { SlotEndpoint } from './slot-endpoint.ts';

type Reader = (arrival: Arrival) => void;

/** The data that has come with the document, or is fetched if a cache may have sent that. */
class ArrivedSlots {
  readonly #document: Document;
  readonly #arrived = new Map<string, Arrival>();
  readonly #readers = new Map<Reader, string>();
  /** Those for whom nothing is fetched. */
  readonly #here = new WeakSet<Reader>();
  readonly #zone: NgZone;
  #observer: MutationObserver | undefined;
  #endpoint: SlotEndpoint | undefined;

  constructor(document: Document, zone: NgZone) {
    this.#document = document;
    this.#zone = zone;
  }

  /**
   * Whether the component that is being created has nothing to hydrate: Angular has emptied its element, or a server renders
   * it alone. Call it where a component is created.
   */
  isForIsland(): boolean {
    const host: unknown = inject(ElementRef, { optional: true })?.nativeElement;
    const isSkipped = (host as Partial<Element> | undefined)?.hasAttribute?.('ngskiphydration');
    return isSkipped === true || this.#document.documentElement.hasAttribute(ALONE);
  }

  /**
   * Calls back once: when the data is there, or when none comes any more.
   *
   * @returns a function that gives up.
   */
  read(name: string, reader: Reader): () => void {
    const arrived = this.find(name);
    if (arrived !== undefined) reader(arrived);
    else if (this.#document.readyState === 'loading') {
      this.#readers.set(reader, name);
      this.#observe();
    } else this.#readElsewhere(name, reader);
    return () => this.#readers.delete(reader);
  }

  /** As {@link read}, without a request of its own. */
  readHere(name: string, reader: Reader): () => void {
    this.#here.add(reader);
    return this.read(name, reader);
  }

  /** @returns undefined for a slot of which nothing is in the document so far. */
  find(name: string): Arrival | undefined {
    let arrived = this.#arrived.get(name);
    if (arrived !== undefined) return arrived;
    const element = this.#document.querySelector(`script[data-ng-ssr-slot="${name}"]`);
    const text = element?.textContent;
    // The last character tells a whole text from the beginning of one that is still arriving.
    if (text?.endsWith('\n') !== true) {
      if (element) this.#observer?.observe(element, WHILE_ARRIVING);
      return undefined;
    }
    arrived = text === '\n' ? 'failed' : { data: JSON.parse(text) };
    this.#arrived.set(name, arrived);
    return arrived;
  }

  /** The document is there, and the slot is not in it. */
  #readElsewhere(name: string, reader: Reader): void {
    if (this.#here.has(reader)) return reader('absent');
    this.#endpoint ??= SlotEndpoint.of(this.#document, this.#zone, (slot, arrival) => {
      // Others may come when they are asked for again.
      if (typeof arrival === 'object') this.#arrived.set(slot, arrival);
      for (const [waiting, waitsFor] of this.#readers) {
        if (waitsFor === slot && this.#readers.delete(waiting)) waiting(arrival);
      }
    });
    if (this.#endpoint === undefined) return reader('absent');
    this.#readers.set(reader, name);
    this.#endpoint.ask(name, this.#document.location);
  }

  #observe(): void {
    if (this.#observer !== undefined) return;
    const tell = (): void => {
      const isLoading = this.#document.readyState === 'loading';
      for (const [reader, name] of [...this.#readers]) {
        const arrived = this.find(name);
        if (arrived === undefined && isLoading) continue;
        this.#readers.delete(reader);
        if (arrived === undefined) this.#readElsewhere(name, reader);
        else reader(arrived);
      }
      if (!isLoading || this.#readers.size === 0) end();
    };
    const end = (): void => {
      this.#observer?.disconnect();
      this.#observer = undefined;
      this.#document.removeEventListener('DOMContentLoaded', tell);
    };
    this.#observer = new MutationObserver(tell);
    this.#observer.observe(this.#document.body, { childList: true });
    this.#document.addEventListener('DOMContentLoaded', tell);
    // An element may have begun before it was observed.
    tell();
  }
}

/** On the document in which `renderIsland()` renders a component. */
const ALONE = 'data-ng-ssr-island';

/** A parser adds text to an element piece by piece. */
const WHILE_ARRIVING = { childList: true, characterData: true, subtree: true };

export const ARRIVED: InjectionToken<ArrivedSlots> = new InjectionToken<ArrivedSlots>(
  'the slots of a document',
  { providedIn: 'root', factory: () => new ArrivedSlots(inject(DOCUMENT), inject(NgZone)) },
);
