import { describeBriefly } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';
import { readBaseHref } from '../../files/base-href.ts';
import { isKept } from '../../files/hashed-files.ts';
import { readFolder } from '../../files/read-folder.ts';
import type { KeptFile, KeptSource } from './kept-source.ts';

/** The browser folders of earlier builds, listed once at start and only read. */
export class BuildFolders implements KeptSource {
  readonly #files = new Map<string, KeptFile>();

  /** @param baseHref - That of the server's own build: files of another one have other addresses. */
  constructor(folders: readonly string[], baseHref: string, report: (error: SsrError) => void) {
    for (const folder of folders) this.#add(folder, baseHref, report);
  }

  peek(path: string): KeptFile | undefined {
    return this.#files.get(path);
  }

  #add(folder: string, baseHref: string, report: (error: SsrError) => void): void {
    try {
      const files = readFolder(folder);
      if (readBaseHref(folder) !== baseHref) throw new Error('its build has another base href');
      for (const { path, absolutePath } of files) {
        // The list begins with the latest.
        if (!isKept(path) || this.#files.has(path)) continue;
        const file = { path, browserFolder: folder, absolutePath };
        this.#files.set(path, { ...file, expected: undefined, content: undefined });
      }
    } catch (cause) {
      const reason = describeBriefly(cause instanceof SsrError ? cause.cause : cause);
      const message = `${folder} of withOldBuilds.previous cannot be used (${reason}): files of its build are not found`;
      report(new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause }));
    }
  }
}
