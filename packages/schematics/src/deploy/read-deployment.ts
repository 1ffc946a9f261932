import type { Tree } from '@angular-devkit/schematics';
import { join, normalize } from 'node:path/posix';
import type { Adapter } from '../adapter.ts';
import type { EngineName } from '../engine-name.ts';
import type { Manifest } from '../manifest.ts';
import { buildCommand, packageInstall } from './package-install.ts';
import type { Project } from '../project.ts';
import { builtServer, outputPathOf } from '../serve-command.ts';
import { browserFolderOf } from '../server-text.ts';
import type { Deployment } from './deployment.ts';
import { probesIn } from './probes-edit.ts';

/** Node's adapters listen here, unless PORT or `listen({ port })` says otherwise. */
const DEFAULT_PORT = 4000;

/** What the workspace says of an application: nothing of it is asked. */
export function readDeployment(
  tree: Tree,
  { packageName, name: adapter }: Adapter,
  project: Project,
  manifest: Manifest,
  engine: EngineName,
  serverText: string,
): Deployment {
  const output = outputPathOf(project);
  return {
    name: dnsLabel(project.name),
    packageName,
    isFetch: adapter === 'fetch',
    output: normalize(output),
    server: builtServer(project, engine),
    browser: join(output, browserFolderOf(project) ?? 'browser'),
    port: Number(/\blisten\(\{[^}]*?\bport:\s*(\d+)/.exec(serverText)?.[1] ?? DEFAULT_PORT),
    probes: probesIn(serverText),
    packages: packageInstall(tree, manifest),
    build: buildCommand(tree, manifest, project),
  };
}

/** A name of systemd, Docker and Kubernetes (RFC 1123), as close to the project's as these allow. */
function dnsLabel(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-\d]+/, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  return label === '' ? 'app' : label;
}
