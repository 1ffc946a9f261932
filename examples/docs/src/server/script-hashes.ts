import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The inline scripts of all pages of a folder, as a Content-Security-Policy allows them: those of index.html, and
 * Angular's own, which hold events until the application has started.
 */
export function readScriptHashes(folder: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const scripts = pages.flatMap((file) =>
    readInlineScripts(readFileSync(join(folder, file), 'utf8')),
  );
  return [...new Set(scripts)].map((script) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

function readInlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)]
    .filter(([, attributes]) => !/\bsrc=|\btype="application\//.test(attributes!))
    .map(([, , script]) => script!);
}
