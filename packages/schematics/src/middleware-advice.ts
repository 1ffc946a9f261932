import { engineIn } from './engine-choice.ts';
import type { EngineName } from './engine-name.ts';
import type { ServerFile } from './server-file.ts';

/** The lines that add the pages to an Express app. */
export interface MiddlewareLines {
  readonly importLine: string;
  readonly creation: string;
  readonly use: string;
}

/** The differences of these lines between servers. */
interface Names {
  /** The Express app. */
  readonly app?: string;
  /** The middleware. */
  readonly name?: string;
  /** For CommonEngine: the name that the app's own handler bootstraps. */
  readonly bootstrap?: string;
  /** The further options, as source. */
  readonly options?: readonly string[];
  /** Further names to import. */
  readonly imports?: readonly string[];
}

/** The lines for an engine. */
export function middlewareLines(
  engine: EngineName,
  {
    app = 'app',
    name = 'ssr',
    bootstrap = 'bootstrap',
    options = LOCAL_HOSTS,
    imports = [],
  }: Names = {},
): MiddlewareLines {
  const argument = bootstrap === 'bootstrap' ? bootstrap : `bootstrap: ${bootstrap}`;
  const created = engine === 'app' ? 'appEngine()' : `commonEngine({ ${argument} })`;
  const all = [`engine: ${created}`, ...options];
  const isShort = all.join('').length < 80;
  const inside = isShort
    ? ` ${all.join(', ')} `
    : `\n${all.map((one) => `  ${one}`).join(',\n')},\n`;
  return {
    importLine: `import { ${[`${engine}Engine`, ...imports, 'ssrMiddleware'].join(', ')} } from '@ng-ssr/express';`,
    creation: `const ${name} = ssrMiddleware({${inside}});`,
    use: `${app}.use(${name});`,
  };
}

const LOCAL_HOSTS = [`allowedHosts: ['localhost', '127.0.0.1']`];

/** How to keep the user's own Express server; nothing for other servers. */
export function middlewareAdvice({ path, text, origin }: ServerFile, command: string): string[] {
  if (origin !== 'own' || !/['"]express['"]/.test(text)) return [];
  const { importLine, creation, use } = middlewareLines(engineIn(text) ?? 'app');
  return [
    `To keep ${path}, add @ng-ssr/express to it. The last line goes after your routes, in place of the handler that renders pages:`,
    `  ${importLine}`,
    `  ${creation}`,
    `  ${use}`,
    `${command} adds these lines (--dry-run shows the change).`,
  ];
}
