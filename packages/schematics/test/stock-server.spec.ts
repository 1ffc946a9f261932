import { expect, test } from 'vitest';
import { fixture } from './starts.ts';
import { editBuild, newApplication, runnerOf } from './workspace.ts';

/** What `ng new` and `ng add @angular/ssr` of these versions have written is recognised. */
test.each([
  ['server-17', 'common'],
  ['server-18', 'common'],
  ['server-19-common-engine', 'common'],
  ['server-19-common-engine-module', 'common'],
  ['server-19', 'app'],
  ['server-20.0', 'app'],
  ['server-21', 'app'],
])('%s, on the %s engine', async (name, engine) => {
  const tree = await newApplication({ ssr: true });
  tree.overwrite('/src/server.ts', fixture(name));
  if (engine === 'common') editBuild(tree, (options) => delete options['outputMode']);

  const after = await runnerOf('koa').runSchematic('ng-add', {}, tree);
  expect(after.readText('/src/server.ts')).toContain(
    `import { ${engine}Engine, createKoaSsrServer }`,
  );
  expect(after.readText('/package.json')).not.toContain('express');
});
