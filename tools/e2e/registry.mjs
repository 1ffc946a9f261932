import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

/**
 * A registry on the loopback interface that serves packed tarballs, so that `ng add @ng-ssr/koa` and
 * `npm ci` do what they do for a user. Everything else stays with the registry npm is set up for.
 *
 * @param packed - The packages: their package.json and the path of the tarball.
 * @returns The `.npmrc` line that makes npm ask here for our scope, and `close`.
 */
export async function startRegistry(packed) {
  const tarballs = new Map(packed.map(({ tarball }) => [basename(tarball), tarball]));
  const byName = new Map(packed.map((each) => [each.manifest.name, each]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const tarball = tarballs.get(basename(path));
    if (tarball !== undefined) return void createReadStream(tarball).pipe(response);
    const found = byName.get(path);
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ? packument(found, request.headers.host) : {}));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    npmrc: `@ng-ssr:registry=http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function packument({ manifest, tarball }, host) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { integrity, tarball: `http://${host}/tarballs/${basename(tarball)}` };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}
