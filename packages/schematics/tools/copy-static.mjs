/** Puts beside the compiled schematics what is not compiled, and a collection for each adapter. */
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
copyFileSync(join(root, 'src/package.json'), join(dist, 'package.json'));

const schema = JSON.parse(readFileSync(join(root, 'src/server.schema.json'), 'utf8'));
const framework = JSON.parse(readFileSync(join(root, 'src/framework.schema.json'), 'utf8'));

for (const file of globSync('adapters/*.js', { cwd: dist })) {
  const name = basename(file, '.js');
  const properties = { ...schema.properties, ...(name === 'fetch' ? { framework } : {}) };
  write(`adapters/${name}.schema.json`, { ...schema, $id: `NgSsrServer-${name}`, properties });
  const of = (factory, description) => ({
    description,
    factory: `./adapters/${name}.js#${factory}`,
    schema: `./adapters/${name}.schema.json`,
  });
  write(`${name}.collection.json`, {
    encapsulation: true,
    schematics: {
      'ng-add': of('ngAdd', `Serves an application through @ng-ssr/${name}.`),
      server: of('server', `Adds a server of @ng-ssr/${name}, beside another one if need be.`),
    },
  });
}
write('migrations.json', { encapsulation: true, schematics: {} });

function write(path, json) {
  writeFileSync(join(dist, path), `${JSON.stringify(json, null, 2)}\n`);
}
