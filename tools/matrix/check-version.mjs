import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { comparePages } from './compare.mjs';
import { buildGallery, createGallery } from './gallery.mjs';
import { packagesOf } from './packages.mjs';
import { VERSIONS } from './versions.mjs';

/**
 * Builds the gallery on one version of Angular and compares its pages, a check for each variant.
 *
 * @param variants - Of `VARIANTS`.
 * @param context - `npmrc`, a folder `place`, `check`, and `found`, which gets the row of each variant.
 */
export async function checkVersion(version, variants, { npmrc, place, check, found = () => {} }) {
  const isTested = VERSIONS.includes(version);
  const isForced = !isTested && version.includes('-');
  const workspace = join(place, 'gallery');
  const title = `Angular ${version}`;
  const isInstalled = await check(`${title}: the gallery installs`, () =>
    createGallery(workspace, { packages: packagesOf(version), npmrc, isForced }),
  );
  if (!isInstalled) return variants.forEach((variant) => found({ version, ...variant }));
  for (const variant of variants) {
    const { engine, zone } = variant;
    let row = {};
    await check(`${title}, ${engine} engine, ${zone}: pages are those of Angular`, async () => {
      const folder = await buildGallery(workspace, variant);
      const { pages, differences } = await comparePages(folder, engine, isTested);
      row = { pages, differences: differences.length };
      assert.deepEqual(differences, []);
      rmSync(folder, { recursive: true });
      return `${pages} pages`;
    });
    found({ version, ...variant, ...row });
  }
}
