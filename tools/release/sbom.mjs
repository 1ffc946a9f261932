/**
 * `npm run sbom [-- --only @ng-ssr/koa] [-- --to folder]`: writes what each published package brings along
 * as CycloneDX, by `npm sbom`: tmp/sbom/ng-ssr-koa.cdx.json and so on. Of a workspace npm sbom lists
 * neither all dependencies nor these alone, so it reads the lock file of an installation of the package.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../e2e/child-process.mjs';
import { publicPackages } from '../e2e/pack.mjs';
import { env, root } from '../environment.mjs';
import { runtimeLock } from './runtime-lock.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, to: { type: 'string', default: join(root, 'tmp/sbom') } },
});
const chosen = publicPackages().filter(
  ({ manifest }) => values.only === undefined || manifest.name === values.only,
);
if (chosen.length === 0) {
  console.error(`--only is "${values.only}"; allowed: a published package, such as @ng-ssr/koa`);
  process.exit(1);
}

mkdirSync(values.to, { recursive: true });
for (const { folder, manifest } of chosen) {
  const path = join(values.to, `${manifest.name.slice(1).replace('/', '-')}.cdx.json`);
  const sbom = await describe(relative(root, folder).split(sep).join('/'), manifest);
  writeFileSync(path, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${manifest.name}: ${sbom.components.length} components, ${relative(root, path)}`);
}

async function describe(folder, { name, version, description, license }) {
  const project = mkdtempSync(join(tmpdir(), 'ng-ssr-sbom-'));
  try {
    const lock = runtimeLock(root, folder);
    const { dependencies } = lock.packages[''];
    const own = { name, version, description, license, dependencies };
    writeFileSync(join(project, 'package.json'), JSON.stringify(own));
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
    const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library', '--package-lock-only'];
    const { output } = await run('npm', args, { cwd: project, env: env() });
    const sbom = JSON.parse(output.slice(output.indexOf('{')));
    // npm names it by the folder.
    sbom.metadata.component.name = name;
    return sbom;
  } finally {
    rmSync(project, { recursive: true });
  }
}
