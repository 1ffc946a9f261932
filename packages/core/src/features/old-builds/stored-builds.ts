import { readFile } from 'node:fs/promises';
import type { SsrError } from '../../errors.ts';
import type { BuildStore, PublishedBuild } from './build-store.ts';
import type { KeptFile, KeptSource, OwnBuild } from './kept-source.ts';
import { MARK_MS } from './publish-build.ts';

/** Files of builds in a store that the servers of all builds share. */
export class StoredBuilds implements KeptSource {
  readonly #store: BuildStore;
  readonly #build: PublishedBuild;
  #marking: NodeJS.Timeout | undefined;

  constructor(
    { store, keep }: { readonly store: BuildStore; readonly keep: number },
    { id, baseHref, files }: OwnBuild,
    onError: (error: SsrError) => void,
  ) {
    this.#store = store;
    this.#build = {
      id,
      files: files.map(({ path, absolutePath }) => ({ path, read: () => readFile(absolutePath) })),
    };
    store.open({ baseHref, keep, onError });
  }

  async start(): Promise<void> {
    this.#marking = setInterval(() => void this.#store.publish(this.#build), MARK_MS).unref();
    await this.#store.publish(this.#build);
  }

  async look(paths: readonly string[]): Promise<ReadonlyMap<string, KeptFile>> {
    const found = await this.#store.find(paths);
    return new Map([...found].map(([path, content]) => [path, toKept(path, content)]));
  }

  async close(): Promise<void> {
    clearInterval(this.#marking);
    await this.#store.close();
  }
}

function toKept(path: string, content: Uint8Array): KeptFile {
  const onDisk = { browserFolder: undefined, absolutePath: undefined, expected: undefined };
  return { path, ...onDisk, content };
}
