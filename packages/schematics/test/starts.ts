import { readFileSync } from 'node:fs';
import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import {
  addApplication,
  type AngularJson,
  editBuild,
  editJson,
  emptyWorkspace,
  newApplication,
  newWorkspace,
  type PackageJson,
  save,
} from './workspace.ts';

/** A workspace somebody may run `ng add` in, as of just before its schematic runs. */
export interface Start {
  readonly create: (adapter: string) => Promise<UnitTestTree>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A server.ts that Angular has written once. */
export function scaffold(name: string): string {
  return readFileSync(new URL(`../src/scaffolds/${name}.txt`, import.meta.url), 'utf8');
}

function saved(create: () => Promise<UnitTestTree>): Start['create'] {
  return async (adapter) => {
    const tree = await create();
    save(tree, adapter);
    return tree;
  };
}

/** What Angular 17 to 19 have written, which had no server routes. */
const CONFIG_OF_17 = `import { ApplicationConfig, mergeApplicationConfig } from '@angular/core';
import { provideServerRendering } from '@angular/platform-server';
import { appConfig } from './app.config';

const serverConfig: ApplicationConfig = {
  providers: [provideServerRendering()],
};

export const config = mergeApplicationConfig(appConfig, serverConfig);
`;

const MODULE_OF_17 = `import { NgModule } from '@angular/core';
import { ServerModule } from '@angular/platform-server';
import { App } from './app';
import { AppModule } from './app-module';

@NgModule({
  imports: [AppModule, ServerModule],
  bootstrap: [App],
})
export class AppServerModule {}
`;

/** An application of Angular 17 to 19, brought up to date: no outputMode, CommonEngine. */
async function commonEngineApplication(
  standalone: boolean,
  zoneless = true,
): Promise<UnitTestTree> {
  const tree = await newApplication({ ssr: true, standalone, zoneless });
  const server = standalone ? '19-common-engine' : '19-common-engine-module';
  tree.overwrite('/src/server.ts', scaffold(server));
  editBuild(tree, (options) => {
    delete options['outputMode'];
    delete options['security'];
    options['prerender'] = true;
  });
  tree.delete('/src/app/app.routes.server.ts');
  if (standalone) tree.overwrite('/src/app/app.config.server.ts', CONFIG_OF_17);
  else tree.overwrite('/src/app/app.module.server.ts', MODULE_OF_17);
  return tree;
}

async function setAngular(tree: UnitTestTree, range: string): Promise<UnitTestTree> {
  editJson<PackageJson>(tree, '/package.json', ({ dependencies, devDependencies }) => {
    for (const section of [dependencies, devDependencies]) {
      for (const name of Object.keys(section)) {
        if (name.startsWith('@angular/')) section[name] = range;
      }
    }
  });
  return tree;
}

export const starts: Readonly<Record<string, Start>> = {
  'fresh with SSR': { create: saved(() => newApplication({ ssr: true })) },
  'ng new with SSR': { create: saved(() => newWorkspace({ ssr: true })) },
  'fresh without SSR': { create: saved(() => newApplication()) },
  'fresh without SSR, CommonEngine asked for': {
    create: saved(() => newApplication()),
    options: { engine: 'common' },
  },
  'fresh with SSR and NgModules': {
    create: saved(() => newApplication({ ssr: true, standalone: false })),
  },
  'stock server of Angular 17': {
    create: saved(async () => {
      const tree = await commonEngineApplication(true);
      tree.delete('/src/server.ts');
      tree.create('/server.ts', scaffold('17'));
      editBuild(tree, (options) => {
        options['ssr'] = { entry: 'server.ts' };
      });
      editJson<{ include?: unknown; files?: string[] }>(tree, '/tsconfig.app.json', (json) => {
        delete json.include;
        json.files = ['src/main.ts', 'src/main.server.ts', 'server.ts'];
      });
      return tree;
    }),
  },
  CommonEngine: { create: saved(() => commonEngineApplication(true)) },
  'CommonEngine with NgModules': { create: saved(() => commonEngineApplication(false)) },
  'CommonEngine, app engine asked for': {
    create: saved(() => commonEngineApplication(true)),
    options: { engine: 'app' },
  },
  'CommonEngine with NgModules, app engine asked for': {
    create: saved(() => commonEngineApplication(false)),
    options: { engine: 'app' },
  },
  'Angular 21': {
    create: saved(async () => {
      const tree = await setAngular(await newApplication({ ssr: true }), '^21.2.0');
      tree.overwrite('/src/server.ts', scaffold('21'));
      editBuild(tree, (options) => {
        delete options['security'];
      });
      return tree;
    }),
  },
  'zone.js': { create: saved(() => newApplication({ ssr: true, zoneless: false })) },
  'zone.js and CommonEngine': { create: saved(() => commonEngineApplication(true, false)) },
  locales: {
    create: saved(async () => {
      const tree = await newApplication({ ssr: true });
      editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
        shop!.i18n = { sourceLocale: 'en-US', locales: { fr: 'src/locale/messages.fr.xlf' } };
        shop!.architect['build']!.options['localize'] = true;
      });
      return tree;
    }),
  },
  'locales and CommonEngine': {
    create: saved(async () => {
      const tree = await commonEngineApplication(true);
      editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
        shop!.i18n = { sourceLocale: 'en-US', locales: { fr: 'src/locale/messages.fr.xlf' } };
        shop!.architect['build']!.options['localize'] = true;
      });
      return tree;
    }),
  },
  'several projects': {
    create: saved(async () => {
      const tree = await addApplication(await emptyWorkspace(), { name: 'shop' });
      return addApplication(tree, { name: 'admin' });
    }),
    options: { project: 'admin' },
  },
  'npm workspaces': {
    create: async (adapter) => {
      let tree = await emptyWorkspace();
      const whole = tree.readText('/package.json');
      tree = await addApplication(tree, { name: 'shop', projectRoot: 'apps/shop' });
      tree.create('/apps/shop/package.json', whole);
      editJson<PackageJson>(tree, '/apps/shop/package.json', (json) => {
        json['name'] = 'shop';
        json.scripts = {};
        json.devDependencies = {};
      });
      editJson<PackageJson>(tree, '/package.json', (json) => {
        json['workspaces'] = ['apps/*'];
        json.dependencies = {};
      });
      save(tree, adapter);
      return tree;
    },
  },
  'hosts in angular.json': {
    create: saved(async () => {
      const tree = await newApplication({ ssr: true });
      editBuild(tree, (options) => {
        options['security'] = { allowedHosts: ['shop.example'] };
        options['outputPath'] = { base: 'out', browser: 'public' };
      });
      return tree;
    }),
  },
  'Express used elsewhere': {
    create: saved(async () => {
      const tree = await newApplication({ ssr: true });
      tree.create('/tools/mock.mjs', `import express from 'express';\nexpress().listen(1234);\n`);
      return tree;
    }),
  },
};
