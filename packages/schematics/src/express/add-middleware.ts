import type { Rule } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type { ServerOptions } from '../adapter.ts';
import { checkAngularVersion } from '../angular-version.ts';
import { commandOf } from '../commands.ts';
import { detectEngine } from '../engine-choice.ts';
import { assertNoHashLocation } from '../hash-location.ts';
import { installedRange } from '../installed-range.ts';
import { isrAdvice } from '../isr-advice.ts';
import { Manifest } from '../manifest.ts';
import { installLine } from '../package-manager.ts';
import { middlewareLines } from '../middleware-advice.ts';
import { type Project, readProject } from '../project.ts';
import { refuse } from '../refusal.ts';
import { readServerFile } from '../server-file.ts';
import { hostsOf, LOCAL_HOSTS } from '../server-text.ts';
import { addMiddleware } from './middleware-edit.ts';

const PACKAGE = '@ng-ssr/express';

/** `ng generate @ng-ssr/express:middleware`: adds `ssrMiddleware` to an Express server. */
export function middleware(options: Pick<ServerOptions, 'project' | 'skipInstall'>): Rule {
  return async (tree, context) => {
    const project = await readProject(tree, context, options);
    const manifest = Manifest.of(tree, project.root);
    checkAngularVersion(tree, manifest, PACKAGE);
    const present = readServerFile(tree, project);
    const { path, text, adapterPackage } = present;
    if (adapterPackage !== undefined) {
      context.logger.info(`${path} is already a server of ${adapterPackage}; nothing was changed.`);
      return;
    }
    assertNoHashLocation(tree, project);
    const named = project.isOneOfSeveral ? { project: project.name } : {};
    const overwrite = commandOf(project.cli, PACKAGE, 'ng-add', { ...named, overwrite: true });
    const isr = isrAdvice(present, overwrite);
    if (isr !== undefined) throw refuse('NG_SSR_SERVER_NOT_EXPRESS', ...isr);
    const engine = detectEngine(project, { text });
    const edit = addMiddleware(text, hostsOption(project));
    if (typeof edit === 'string') throw noEdit(path, edit, Object.values(middlewareLines(engine)));

    tree.overwrite(path, edit.text);
    const how = manifest.addRuntimeDependency(PACKAGE, installedRange(PACKAGE));
    if (how !== undefined && options.skipInstall !== true) {
      context.addTask(new NodePackageInstallTask());
    }
    const show = (sign: string, code: readonly string[]): string[] =>
      code.flatMap((part) => part.split(/\r?\n/)).map((line) => `  ${sign} ${line}`);
    const lines = [
      `${PACKAGE}: added ssrMiddleware() to ${path}.`,
      ...show('-', edit.removed),
      ...show('+', edit.added),
      ...edit.left,
      'In production: set NG_ALLOWED_HOSTS=your.host and NODE_ENV=production.',
      ...(how === undefined ? [] : [installLine(tree, options.skipInstall)]),
    ];
    for (const line of lines) context.logger.info(line);
  };
}

function hostsOption(project: Project): string[] {
  return hostsOf(project).length > 0 ? [] : LOCAL_HOSTS;
}

function noEdit(path: string, why: 'no Express app' | 'no place', lines: readonly string[]): Error {
  const [message, advice] =
    why === 'no Express app'
      ? [
          `${path} has no statement "const app = express()", so nothing was changed.`,
          'Add these lines to an Express app. The last one goes after your routes:',
        ]
      : [
          `${path} has no handler that renders pages on its Express app, so nothing was changed.`,
          'Add these lines to it. The last one goes after your routes and before your error handlers:',
        ];
  return refuse('NG_SSR_SERVER_NOT_EXPRESS', message, [
    advice,
    ...lines.map((line) => `  ${line}`),
  ]);
}
