import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeBriefly } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';
import {
  type FileState,
  isSameState,
  readFileState,
  readWholeFile,
} from '../../files/file-part.ts';
import { isKernelFolder } from '../../files/kernel-folder.ts';
import {
  MANIFEST_FILE,
  type ManifestFile,
  MOST_MANIFEST_BYTES,
  readManifest,
} from './build-manifest.ts';
import { OutageReport } from '../../outage-report.ts';
import type { KeptFile, KeptSource, OwnBuild } from './kept-source.ts';
import {
  FILES_FOLDER,
  MARK_MS,
  markBuild,
  publishBuild,
  removeOldBuilds,
} from './publish-build.ts';

/** A folder with the builds of several servers. Applications with another base href have a folder in it of their own. */
export class BuildsFolder implements KeptSource {
  readonly #folder: string;
  readonly #keep: number;
  readonly #own: OwnBuild;
  readonly #outage: OutageReport;
  readonly #builds = new Map<string, ReadonlyMap<string, ManifestFile>>();
  /** Manifests that say nothing, by id, with their state: they are not read again as long as it stays. */
  readonly #damaged = new Map<string, FileState>();
  #marking: NodeJS.Timeout | undefined;

  constructor(
    { folder, keep }: { readonly folder: string; readonly keep: number },
    own: OwnBuild,
    report: (error: SsrError) => void,
  ) {
    this.#folder = join(folder, partOf(own.baseHref));
    this.#keep = keep;
    this.#own = own;
    this.#outage = new OutageReport(report);
  }

  /** Synchronous: the files are there before the server's first page is. */
  start(): void {
    // What fails now is tried again then.
    this.#marking = setInterval(() => this.#mark(), MARK_MS).unref();
    try {
      // `/proc/self/root` is a folder, too: that of everything.
      if (isKernelFolder(dirname(this.#folder))) throw new Error('it is a kernel folder');
      publishBuild(this.#folder, this.#own);
      removeOldBuilds(this.#folder, this.#own.id, this.#keep);
    } catch (cause) {
      this.#fail(
        'other servers cannot send the files of this build, and old builds are not removed',
        cause,
      );
    }
  }

  peek(path: string): KeptFile | undefined {
    for (const [id, files] of this.#builds) {
      const file = files.get(path);
      if (file !== undefined) return this.#toKept(id, path, file);
    }
    return undefined;
  }

  /** One listing of the folder for all paths, and a manifest for each build that is new in it. */
  async look(paths: readonly string[]): Promise<ReadonlyMap<string, KeptFile>> {
    try {
      const names = new Set((await readdir(this.#folder)).filter((name) => IS_ID.test(name)));
      for (const known of [this.#builds, this.#damaged]) {
        for (const id of known.keys()) if (!names.has(id)) known.delete(id);
      }
      let isOut = false;
      for (const id of names) {
        if (this.#builds.has(id) || id === this.#own.id) continue;
        isOut = !(await this.#read(id)) || isOut;
      }
      if (!isOut) this.#outage.succeed();
    } catch (cause) {
      this.#fail('files of other builds are not found', cause);
    }
    const found = paths.map((path) => this.peek(path)).filter((file) => file !== undefined);
    return new Map(found.map((file) => [file.path, file]));
  }

  close(): void {
    clearInterval(this.#marking);
  }

  /** @returns false for a manifest that could not be read this time. */
  async #read(id: string): Promise<boolean> {
    const manifest = join(this.#folder, id, MANIFEST_FILE);
    try {
      const damaged = this.#damaged.get(id);
      if (damaged !== undefined && isSameState(damaged, await readFileState(manifest))) return true;
      const { body, state } = await readWholeFile(manifest, MOST_MANIFEST_BYTES);
      this.#damaged.set(id, state);
      this.#builds.set(id, readManifest(body.toString()));
      this.#damaged.delete(id);
      return true;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      // Removed since the folder was listed.
      if (code === 'ENOENT' || code === 'ENOTDIR') return true;
      const message = `${manifest} is not used: files of its build are not found`;
      this.#outage.fail(new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause }));
      return false;
    }
  }

  #mark(): void {
    try {
      // Somebody may have removed it.
      const isThere = existsSync(join(this.#folder, this.#own.id));
      if (isThere) markBuild(this.#folder, this.#own.id);
      else publishBuild(this.#folder, this.#own);
    } catch (cause) {
      this.#fail('other servers cannot send the files of this build', cause);
    }
  }

  #toKept(id: string, path: string, expected: ManifestFile): KeptFile {
    const browserFolder = join(this.#folder, id, FILES_FOLDER);
    const absolutePath = join(browserFolder, path);
    return { path, browserFolder, absolutePath, expected, content: undefined };
  }

  #fail(what: string, cause: unknown): void {
    const message = `withOldBuilds.folder ${dirname(this.#folder)} cannot be used (${describeBriefly(cause)}): ${what}`;
    this.#outage.fail(new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause }));
  }
}

const IS_ID = /^[0-9a-f]{16}$/;

/** A name that no base href can make another folder of. */
function partOf(baseHref: string): string {
  const inner = baseHref.slice(1, -1);
  return inner === '' ? 'root' : `root-${encodeURIComponent(inner)}`;
}
