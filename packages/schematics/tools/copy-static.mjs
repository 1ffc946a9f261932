/** Puts beside the compiled schematics what is not compiled, and a collection for each adapter. */
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

// What sources had made that are not there any more would be packed, too.
for (const path of globSync('**/*.{js,d.ts,json,txt}', { cwd: dist })) {
  const source = join(root, 'src', path.replace(/\.(js|d\.ts)$/, '.ts'));
  if (!existsSync(source)) rmSync(join(dist, path));
}
cpSync(join(root, 'src/package.json'), join(dist, 'package.json'));
cpSync(join(root, 'src/scaffolds'), join(dist, 'scaffolds'), { recursive: true });

const schema = JSON.parse(readFileSync(join(root, 'src/server.schema.json'), 'utf8'));
const framework = JSON.parse(readFileSync(join(root, 'src/framework.schema.json'), 'utf8'));
const { project, overwrite, skipInstall } = schema.properties;
const deployment = 'deploy/deploy.schema.json';
const { deployTargets } = createRequire(import.meta.url)(join(dist, 'deploy/targets.js'));
write(deployment, deploySchema(JSON.parse(readFileSync(join(root, 'src', deployment), 'utf8'))));

for (const file of globSync('factories/*.js', { cwd: dist })) {
  const name = basename(file, '.js');
  const properties = { ...schema.properties, ...(name === 'fetch' ? { framework } : {}) };
  write(`factories/${name}.schema.json`, { ...schema, $id: `NgSsrServer-${name}`, properties });
  const of = (factory, description, inputs = `./factories/${name}.schema.json`) => ({
    description,
    factory: `./factories/${name}.js#${factory}`,
    schema: inputs,
  });
  const added = of('ngAdd', `Serves an application through @ng-ssr/${name}.`);
  const schematics = {
    'ng-add': added,
    // The name that `nx add` runs.
    init: { ...added, hidden: true },
    server: of(
      'server',
      `Adds a server of @ng-ssr/${name}, beside an existing one of another package.`,
    ),
  };
  const ofRemoval = `./factories/${name}.remove.schema.json`;
  write(ofRemoval, {
    ...schema,
    $id: `NgSsrRemove-${name}`,
    properties: { project, overwrite, skipInstall },
  });
  schematics.remove = of('remove', "Restores Angular's server.ts.", ofRemoval);
  schematics.deploy = of('deploy', 'Writes the files of a deployment.', `./${deployment}`);
  if (name === 'express') {
    const inputs = './express/middleware.schema.json';
    schematics.middleware = of('middleware', 'Adds the pages to your own Express app.', inputs);
    write(inputs, { ...schema, $id: 'NgSsrMiddleware', properties: { project, skipInstall } });
  }
  write(`${name}.collection.json`, { encapsulation: true, schematics });
}
write('migrations.json', { encapsulation: true, schematics: {} });

/** With the targets that there are: the CLI lists them in its help, and offers them where none is given. */
function deploySchema(schema) {
  const { target } = schema.properties;
  const items = Object.entries(deployTargets).map(([value, { title }]) => ({
    value,
    label: title,
  }));
  target.enum = items.map(({ value }) => value);
  target['x-prompt'] = { message: target['x-prompt'], type: 'list', items };
  return schema;
}

function write(path, json) {
  writeFileSync(join(dist, path), `${JSON.stringify(json, null, 2)}\n`);
}
