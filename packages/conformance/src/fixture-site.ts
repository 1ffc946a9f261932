import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  earlierFiles,
  FIXTURE_TIME,
  fixtureFiles,
  PRERENDERED_ROUTES,
  SECRET,
} from './fixture-content.ts';

/** A built Angular site in a temporary folder, the same bytes on every run. */
export interface FixtureSite {
  /** The server's `browserFolder`. */
  readonly browserFolder: string;
  /** The browser folder of an earlier build. */
  readonly earlierFolder: string;
  /**
   * The bytes of one of its files.
   *
   * @param path - The path below the browser folder, such as `about/index.html`.
   */
  read(path: string): Buffer;
  /** Removes the folder. */
  dispose(): Promise<void>;
}

let contents: ReadonlyMap<string, Buffer> | undefined;

/**
 * Writes the fixture site: prerendered pages with their `prerendered-routes.json`, hashed and other
 * files, a dot file, links that lead outside, nowhere or in a circle, and a `secret.txt` beside the
 * browser folder.
 */
export async function createFixtureSite(): Promise<FixtureSite> {
  const root = await mkdtemp(join(tmpdir(), 'ng-ssr-conformance-'));
  const browserFolder = join(root, 'browser');
  // Its texts and their encodings take longer to make than to write.
  const files = (contents ??= fixtureFiles());
  for (const [path, bytes] of files) await place(join(browserFolder, path), bytes);
  const earlierFolder = join(root, 'earlier', 'browser');
  for (const [path, bytes] of earlierFiles()) await place(join(earlierFolder, path), bytes);
  await place(join(root, 'secret.txt'), SECRET);
  await place(join(root, 'outside', 'secret.txt'), SECRET);
  await place(join(root, 'prerendered-routes.json'), JSON.stringify(PRERENDERED_ROUTES));
  await symlink(join('..', 'secret.txt'), join(browserFolder, 'link-outside'), 'file');
  await symlink(join('..', 'secret.txt'), join(browserFolder, 'link-outside.txt'), 'file');
  await symlink(join('..', 'outside'), join(browserFolder, 'linked-folder'), 'dir');
  await symlink('nowhere', join(browserFolder, 'dangling.bin'), 'file');
  await symlink('circle.bin', join(browserFolder, 'circle.bin'), 'file');
  await symlink('.', join(browserFolder, 'here'), 'dir');
  await symlink('.', join(browserFolder, 'here-too'), 'dir');
  return {
    browserFolder,
    earlierFolder,
    read(path) {
      const bytes = files.get(path);
      if (!bytes) throw new Error(`The fixture site has no file ${JSON.stringify(path)}.`);
      return bytes;
    },
    dispose: () => rm(root, { recursive: true, force: true }),
  };
}

async function place(path: string, bytes: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  await utimes(path, FIXTURE_TIME, FIXTURE_TIME);
}
