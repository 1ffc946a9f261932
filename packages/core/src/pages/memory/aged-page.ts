import type { Answer } from '../../exchange.ts';
import type { ContentEncoding, NegotiableEncoding } from '../../http/accept-encoding.ts';
import type { DictionaryEncoding } from '../../http/dictionary-encoding.ts';
import { type HeaderList, toNotModifiedHeaders } from '../../http/header-list.ts';
import type { Representation } from '../../answers/representation.ts';
import type { Fill } from '../../answers/fill.ts';
import type { Choose, DictionaryForms, Resource } from '../../answers/resource.ts';

/** A stored page in one encoding, without the headers of the moment, Age and Cache-Status. */
export interface AgelessRepresentation extends Pick<
  Representation,
  'encoding' | 'mayBeEncoded' | 'etag' | 'lastModifiedMs'
> {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The headers of its 304, made with the first one. */
  notModifiedHeaders: HeaderList | undefined;
}

/** A page encoded against dictionaries, by their names. */
export type AgelessForms = Map<string, DictionaryForms<AgelessRepresentation>>;

/** A page in all encodings made so far. */
interface AgelessPage extends Resource<AgelessRepresentation> {
  readonly withDictionary: AgelessForms | undefined;
  readonly choose: Choose | undefined;
  readonly fill: Fill | undefined;
  /** Whether a client got it unencoded that accepts an encoding. */
  isLacking: boolean;
}

/** A page with its Age and TTL in one second. */
export class AgedPage implements Resource {
  readonly age: number;
  readonly ttl: number;
  /** The headers of the moment that traits add. */
  readonly ofTraits: HeaderList | undefined;
  readonly identity: Representation;
  readonly encoded: { readonly [encoding in ContentEncoding]?: Representation };
  readonly isEncoded: boolean;
  readonly withDictionary: ReadonlyMap<string, DictionaryForms> | undefined;
  readonly choose: Choose | undefined;
  readonly fill: Fill | undefined;
  readonly #page: AgelessPage;
  readonly #headers: HeaderList;
  #unencoded: Representation | undefined;

  constructor(
    page: AgelessPage,
    age: number,
    ttl: number,
    status: string,
    ofTraits: HeaderList | undefined,
  ) {
    this.age = age;
    this.ttl = ttl;
    this.ofTraits = ofTraits;
    const { identity, encoded, isEncoded, withDictionary, choose, fill } = page;
    const headers = ['age', String(age), 'cache-status', status];
    if (ofTraits !== undefined) headers.push(...ofTraits);
    this.isEncoded = isEncoded;
    this.identity = new AgedRepresentation(identity, headers);
    const aged: { [encoding in ContentEncoding]?: Representation } = {};
    for (const encoding in encoded) {
      const representation = encoded[encoding as ContentEncoding]!;
      aged[encoding as ContentEncoding] = new AgedRepresentation(representation, headers);
    }
    this.encoded = aged;
    this.withDictionary = withDictionary?.size ? ageForms(withDictionary, headers) : undefined;
    this.choose = choose;
    this.fill = fill;
    this.#page = page;
    this.#headers = headers;
  }

  get unencoded(): Representation {
    this.#page.isLacking = true;
    return (this.#unencoded ??= new AgedRepresentation(this.#page.unencoded, this.#headers));
  }
}

function ageForms(forms: AgelessForms, headers: HeaderList): Map<string, DictionaryForms> {
  const aged = new Map<string, DictionaryForms>();
  for (const [name, { dcb, dcz }] of forms) {
    aged.set(name, {
      dcb: dcb && new AgedRepresentation(dcb, headers),
      dcz: dcz && new AgedRepresentation(dcz, headers),
    });
  }
  return aged;
}

/** Builds each answer on first use, and reuses it. */
class AgedRepresentation implements Representation {
  readonly encoding: NegotiableEncoding | DictionaryEncoding;
  readonly mayBeEncoded: boolean;
  readonly etag: string | undefined;
  readonly lastModifiedMs: number | undefined;
  readonly #ageless: AgelessRepresentation;
  readonly #headers: HeaderList;
  #full: Answer | undefined;
  #head: Answer | undefined;
  #notModified: Answer | undefined;

  constructor(ageless: AgelessRepresentation, headers: HeaderList) {
    this.encoding = ageless.encoding;
    this.mayBeEncoded = ageless.mayBeEncoded;
    this.etag = ageless.etag;
    this.lastModifiedMs = ageless.lastModifiedMs;
    this.#ageless = ageless;
    this.#headers = headers;
  }

  get full(): Answer {
    const { status, headers, body } = this.#ageless;
    return (this.#full ??= { status, headers: headers.concat(this.#headers), body });
  }

  get head(): Answer {
    return (this.#head ??= { ...this.full, body: null });
  }

  get notModified(): Answer {
    const ageless = this.#ageless;
    return (this.#notModified ??= {
      status: 304,
      headers: (ageless.notModifiedHeaders ??= toNotModifiedHeaders(ageless.headers)).concat(
        this.#headers,
      ),
      body: null,
    });
  }
}
