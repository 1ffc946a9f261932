import { join } from 'node:path';
import { makePack, PACK_FOLDER, writePack } from '@ng-ssr/core/pack';

/** Packs a build as `ng-ssr pack` does. */
export async function packSite(browserFolder: string): Promise<void> {
  const made = await makePack(
    browserFolder,
    [],
    () => undefined,
    () => undefined,
  );
  await writePack(join(browserFolder, '..', PACK_FOLDER), made);
}
