import { contentTypeOf } from '../http/content-type.ts';
import { type DocumentNonce, markNonces } from '../document-nonce.ts';
import { insertPublicConfig } from '../insert-public-config.ts';
import { ChangedHashes, isWorkerManifest } from './worker-manifest.ts';

/** What the documents of a build get at start. */
export interface DocumentMarks {
  /** Marks pages that have the placeholder as their nonce, so that each answer gets its own nonce. */
  readonly nonce?: DocumentNonce | undefined;
  /** The element with the public configuration, which goes into every document. */
  readonly publicConfig?: string | undefined;
  /** Pages made of documents with another id are other pages. */
  readonly id?: string | undefined;
}

/** The content of a file as it is sent. */
export interface SentContent {
  readonly body: Buffer;
  /** Whether each answer gets a nonce of its own. */
  readonly hasNonce: boolean;
  /** Whether it depends on the public configuration. */
  readonly hasConfig: boolean;
}

/** Makes of built files what is sent of them: that of most files is the file. */
export class SentContents {
  readonly #marks: DocumentMarks;
  readonly #hashes: ChangedHashes | undefined;

  /** @param paths - Of all files. */
  constructor(marks: DocumentMarks, paths: Iterable<string>) {
    this.#marks = marks;
    const hasWorker = marks.publicConfig !== undefined && [...paths].some(isWorkerManifest);
    if (hasWorker) this.#hashes = new ChangedHashes();
  }

  /** By how many bytes the configuration makes a file longer, at most. */
  addedBytes(path: string): number {
    const { publicConfig } = this.#marks;
    return publicConfig !== undefined && isHtml(path) ? publicConfig.length : 0;
  }

  /** Call it for manifests of service workers after all documents have been noted. */
  of(path: string, content: Buffer): SentContent {
    const { nonce, publicConfig } = this.#marks;
    if (isWorkerManifest(path)) {
      const changed = this.#hashes?.applyTo(content);
      return { body: changed ?? content, hasNonce: false, hasConfig: changed !== undefined };
    }
    if (!isHtml(path)) return { body: content, hasNonce: false, hasConfig: false };
    const marked = change(content, (text) => (nonce ? markNonces(text, nonce) : text));
    const configured = change(marked, (text) => insertPublicConfig(text, publicConfig));
    const hasConfig = configured !== marked;
    return { body: configured, hasNonce: marked !== content, hasConfig };
  }

  /** Notes that a document is sent with this content: manifests name its hash. No hash is that of a nonce's pages. */
  note(built: Buffer, { body, hasConfig, hasNonce }: SentContent): void {
    if (hasConfig && !hasNonce) this.#hashes?.add(built, body);
  }

  /** Whether a file may be sent from disk, whatever is in it. */
  isAsBuilt(path: string): boolean {
    const { nonce, publicConfig } = this.#marks;
    if (isWorkerManifest(path)) return this.#hashes === undefined;
    return (nonce === undefined && publicConfig === undefined) || !isHtml(path);
  }
}

function isHtml(path: string): boolean {
  return contentTypeOf(path).startsWith('text/html');
}

/** The same Buffer if the text stays the same. Its encoding does not matter: each byte is a character. */
function change(content: Buffer, to: (text: string) => string): Buffer {
  const text = content.toString('latin1');
  const changed = to(text);
  return changed === text ? content : Buffer.from(changed, 'latin1');
}
