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

/** What the workspace says of an application: nothing of it is asked. */
export function readDeployment(
  tree: Tree,
  { packageName, name: adapter }: Adapter,
  project: Project,
  manifest: Manifest,
  engine: EngineName,
  { port, probes, tokens, metrics }: Pick<Deployment, 'port' | 'probes' | 'tokens' | 'metrics'>,
): Deployment {
  const output = outputPathOf(project);
  return {
    name: dnsLabel(project.name),
    packageName,
    isFetch: adapter === 'fetch',
    output: normalize(output),
    server: builtServer(project, engine),
    browser: join(output, browserFolderOf(project) ?? 'browser'),
    port,
    probes,
    tokens,
    metrics,
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
  // These are no texts in YAML.
  if (/^(y|n|yes|no|on|off|true|false|null)$/.test(label)) return `app-${label}`;
  return label === '' ? 'app' : label;
}
