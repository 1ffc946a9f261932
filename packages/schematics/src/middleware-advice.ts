import type { Cli } from './cli.ts';
import { type EngineName, engineIn } from './engine-choice.ts';
import type { ServerFile } from './server-file.ts';

/** The three lines that put the pages into an Express app. */
export interface MiddlewareLines {
  readonly importLine: string;
  readonly creation: string;
  readonly use: string;
}

/** What the three lines differ in from one server to another. */
interface Names {
  /** The Express app. */
  readonly app?: string;
  /** The middleware. */
  readonly name?: string;
  /** For CommonEngine: what the app's own handler starts. */
  readonly bootstrap?: string;
  /** The further options, as source. */
  readonly options?: readonly string[];
}

/** The lines for an engine. */
export function middlewareLines(
  engine: EngineName,
  { app = 'app', name = 'ssr', bootstrap = 'bootstrap', options = LOCAL_HOSTS }: Names = {},
): MiddlewareLines {
  const argument = bootstrap === 'bootstrap' ? bootstrap : `bootstrap: ${bootstrap}`;
  const created = engine === 'app' ? 'appEngine()' : `commonEngine({ ${argument} })`;
  const all = [`engine: ${created}`, ...options];
  const isShort = all.join('').length < 80;
  const inside = isShort
    ? ` ${all.join(', ')} `
    : `\n${all.map((one) => `  ${one}`).join(',\n')},\n`;
  return {
    importLine: `import { ${engine}Engine, ssrMiddleware } from '@ng-ssr/express';`,
    creation: `const ${name} = ssrMiddleware({${inside}});`,
    use: `${app}.use(${name});`,
  };
}

const LOCAL_HOSTS = [`allowedHosts: ['localhost', '127.0.0.1']`];

/** How to keep a server of one's own on Express; nothing for other servers. */
export function middlewareAdvice({ path, text, origin }: ServerFile, cli: Cli): string[] {
  if (origin !== 'own' || !/['"]express['"]/.test(text)) return [];
  const { importLine, creation, use } = middlewareLines(engineIn(text) ?? 'app');
  return [
    `To keep what is in ${path}, add @ng-ssr/express to it, the last line behind your routes, in place of the handler that renders:`,
    `  ${importLine}`,
    `  ${creation}`,
    `  ${use}`,
    `npm install @ng-ssr/express && ${cli} generate @ng-ssr/express:middleware writes them there (--dry-run shows it).`,
  ];
}
