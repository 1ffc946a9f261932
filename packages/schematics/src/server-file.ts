import type { Tree } from '@angular-devkit/schematics';
import { isJsonObject } from '@angular-devkit/core';
import { join } from 'node:path/posix';
import { isGenerated } from './generated-server.ts';
import type { Project } from './project.ts';
import { isScaffold } from './scaffold.ts';

/**
 * The origin of a server.ts: absent, as the Angular CLI wrote it, one that imports an ng-ssr adapter, or
 * the user's own.
 */
export type ServerFileOrigin = 'none' | 'stock' | 'ng-ssr' | 'own';

/** The server.ts of a project, or its future place. */
export interface ServerFile {
  readonly path: string;
  readonly text: string;
  readonly origin: ServerFileOrigin;
  /** For origin `ng-ssr`: the package it imports. */
  readonly adapterPackage: string | undefined;
  /** For origin `ng-ssr`: whether it is as `ng add` wrote it. */
  readonly isUntouched: boolean;
}

const ADAPTER_IMPORT = /from\s*['"](@ng-ssr\/(?:node|koa|fastify|express|fetch))(?:\/[\w-]+)?['"]/;

/** Reads the build's server file. */
export function readServerFile(tree: Tree, { build, sourceRoot }: Project): ServerFile {
  const { ssr } = build;
  const entry = isJsonObject(ssr ?? null) ? (ssr as { entry?: unknown }).entry : undefined;
  const path = typeof entry === 'string' ? entry : join(sourceRoot, 'server.ts');
  const text = tree.exists(path) ? tree.readText(path) : '';
  const adapterPackage = ADAPTER_IMPORT.exec(text)?.[1];
  const origin = originOf(text, adapterPackage);
  return {
    path,
    text,
    origin,
    adapterPackage,
    isUntouched: origin === 'ng-ssr' && isGenerated(text),
  };
}

function originOf(text: string, adapterPackage: string | undefined): ServerFileOrigin {
  if (adapterPackage !== undefined) return 'ng-ssr';
  if (text.trim() === '') return 'none';
  return isScaffold(text) ? 'stock' : 'own';
}
