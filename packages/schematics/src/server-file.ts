import type { Tree } from '@angular-devkit/schematics';
import { createHash } from 'node:crypto';
import { isJsonObject } from '@angular-devkit/core';
import { join } from 'node:path/posix';
import type { Project } from './project.ts';

/**
 * What a server.ts is: absent, as the Angular CLI wrote it, one that imports an ng-ssr adapter, or
 * somebody's own.
 */
export type ServerFileOrigin = 'none' | 'stock' | 'ng-ssr' | 'own';

/** The server.ts of a project, or the place where it will be. */
export interface ServerFile {
  readonly path: string;
  readonly text: string;
  readonly origin: ServerFileOrigin;
  /** For origin `ng-ssr`: the package it imports. */
  readonly adapterPackage: string | undefined;
}

const ADAPTER_IMPORT = /from\s*['"](@ng-ssr\/(?:node|koa|fastify|express|fetch))(?:\/[\w-]+)?['"]/;

/** Reads the file that the build takes as its server. */
export function readServerFile(tree: Tree, { build, sourceRoot }: Project): ServerFile {
  const { ssr } = build;
  const entry = isJsonObject(ssr ?? null) ? (ssr as { entry?: unknown }).entry : undefined;
  const path = typeof entry === 'string' ? entry : join(sourceRoot, 'server.ts');
  const text = tree.exists(path) ? tree.readText(path) : '';
  return { path, text, ...originOf(text) };
}

function originOf(text: string): Pick<ServerFile, 'origin' | 'adapterPackage'> {
  const adapterPackage = ADAPTER_IMPORT.exec(text)?.[1];
  if (adapterPackage !== undefined) return { origin: 'ng-ssr', adapterPackage };
  if (text.trim() === '') return { origin: 'none', adapterPackage };
  return { origin: STOCK_SHAPES.has(shapeOf(text)) ? 'stock' : 'own', adapterPackage };
}

/** The shapes of what `ng new --ssr` and `ng add @angular/ssr` have written, oldest first. */
const STOCK_SHAPES = new Set([
  'e11277f586cdec72', // 17
  'e0124445546a297d', // 18
  'c88650d5f03a882c', // 19.0, CommonEngine
  'bb0eec7379318b53', // 19
  'bd14adcb6aa3cdee', // 19.2, CommonEngine
  '4606867f17510c36', // 20.0
  'b5d171c4630c4163', // 20.3 to 22
]);

/**
 * A digest of the code without what differs between projects and formatters: comments, white space,
 * quotes, trailing commas, semicolons, the folders, the name of a root module.
 */
function shapeOf(text: string): string {
  const shape = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replaceAll('"', "'")
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}])/g, '')
    .replaceAll(';', '')
    .replaceAll('@angular/ssr/node', '@angular/ssr')
    .replace(/'(\.\/|\.\.\/)+(src\/)?main\.server'/g, "'./main.server'")
    .replace(/'\.\.\/[^'.]*'/g, "'../browser'")
    .replaceAll('bootstrap:AppServerModule', 'bootstrap')
    .replaceAll('AppServerModule', 'bootstrap');
  return createHash('sha256').update(shape).digest('hex').slice(0, 16);
}
