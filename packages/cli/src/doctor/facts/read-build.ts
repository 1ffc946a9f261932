import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACK_FOLDER } from '@ng-ssr/core/pack';
import type { BuildPlace } from './find-build.ts';
import { type BuiltFile, listFiles } from './list-files.ts';

/** What the build's folder has. */
export interface BuildFacts {
  readonly place: BuildPlace;
  /** Whether the program that serves the build is there. */
  readonly hasServer: boolean;
  readonly files: readonly BuiltFile[];
  /** Pages that the build has made. */
  readonly prerendered: readonly BuiltFile[];
  readonly isPacked: boolean;
  /** Whether all bundles of the server have a source map beside them. */
  readonly hasServerMaps: boolean;
  /** Source maps among the files for browsers. */
  readonly browserMaps: readonly BuiltFile[];
  /** Whether a document of the build has a Content-Security-Policy of its own. */
  readonly hasPolicyInDocument: boolean;
  /** Whether a document of the build has several module scripts, such as polyfills.js for zone.js. */
  readonly hasSeveralScripts: boolean;
}

export function readBuild(place: BuildPlace): BuildFacts {
  const { browserFolder, outputPath, server } = place;
  const files = listFiles(browserFolder);
  const bundles = listFiles(dirname(server)).filter(({ path }) => /\.m?js$/.test(path));
  const documents = files
    .filter(({ path }) => /\/index(\.csr|\.server)?\.html$/.test(path))
    .map(({ path }) => readFileSync(join(browserFolder, path), 'utf8'));
  const maps = new Set(listFiles(dirname(server)).map(({ path }) => path));
  return {
    place,
    hasServer: existsSync(server),
    files,
    prerendered: files.filter(({ path }) => isPrerendered(join(browserFolder, path))),
    isPacked: existsSync(join(outputPath, PACK_FOLDER, 'pack.json')),
    hasServerMaps: bundles
      .filter(({ path }) => !/manifest\.mjs$|assets-chunks\//.test(path))
      .every(({ path }) => maps.has(`${path}.map`)),
    browserMaps: files.filter(({ path }) => path.endsWith('.map')),
    hasPolicyInDocument: documents.some(hasPolicy),
    hasSeveralScripts: documents.some(hasSeveralScripts),
  };
}

function isPrerendered(file: string): boolean {
  return (
    file.endsWith('.html') && /ng-server-context="(ssg|app-shell)/.test(readFileSync(file, 'utf8'))
  );
}

function hasPolicy(document: string): boolean {
  return /<meta[^>]+http-equiv=["']?content-security-policy/i.test(document);
}

function hasSeveralScripts(document: string): boolean {
  const scripts = document.match(/<script[^>]+type=["']?module[^>]*>/gi) ?? [];
  return scripts.filter((tag) => !/\sasync[\s=>]/i.test(tag)).length > 1;
}
