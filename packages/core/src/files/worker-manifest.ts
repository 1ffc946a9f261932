import { createHash } from 'node:crypto';

const SHA1 = /"([\da-f]{40})"/g;

/** Whether a file is the manifest of Angular's service worker: of the application, or of one of its locales. */
export function isWorkerManifest(path: string): boolean {
  return path.endsWith('/ngsw.json');
}

/**
 * The hashes of documents that are sent with another content than the build's. Angular's service worker compares what
 * it fetches with the hashes of its manifest, and would not install itself.
 */
export class ChangedHashes {
  readonly #changed = new Map<string, string>();

  add(built: Uint8Array, sent: Uint8Array): void {
    this.#changed.set(hash(built), hash(sent));
  }

  /** @returns the manifest with the hashes of what is sent, or undefined if it names none of the documents. */
  applyTo(manifest: Uint8Array): Buffer | undefined {
    const text = Buffer.from(manifest).toString();
    const changed = text.replace(SHA1, (found, sha1: string) => {
      const sent = this.#changed.get(sha1);
      return sent === undefined ? found : `"${sent}"`;
    });
    return changed === text ? undefined : Buffer.from(changed);
  }
}

function hash(content: Uint8Array): string {
  return createHash('sha1').update(content).digest('hex');
}
