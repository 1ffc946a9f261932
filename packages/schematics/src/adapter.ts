import type { EngineName } from './engine-name.ts';

/** The parts of a server.ts: the same statements for every framework. */
export interface ServerFileParts {
  /** The package that exports the engines' factories. */
  readonly packageName: string;
  /** `appEngine` or `commonEngine`. */
  readonly engineFactory: string;
  /** The lines between `{` and `}` of the server's options, indented by two. */
  readonly options: string;
}

/** A framework that an adapter supports. */
export interface Framework {
  /** Its name in messages. */
  readonly title: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** The statements of server.ts after the import of main.server, which they do not include. */
  readonly serverFile: (parts: ServerFileParts) => { imports: string[]; statements: string };
}

/** The differences between the `ng add` of the adapters. */
export interface Adapter {
  /** As in `server.<name>.ts` and the name of a build configuration. */
  readonly name: string;
  readonly packageName: string;
  /** By the value of `--framework`; an adapter of one framework has one entry under its own name. */
  readonly frameworks: Readonly<Record<string, Framework>>;
}

/** The schematics' command-line options. */
export interface ServerOptions {
  readonly project?: string;
  readonly engine?: EngineName;
  readonly framework?: string;
  readonly overwrite?: boolean;
  readonly skipInstall?: boolean;
}

/**
 * The server.ts of adapters whose server has `listen`: create, routes, `reqHandler`, `listen`.
 *
 * @param factory - The adapter's `create...SsrServer`.
 * @param route - The statement that adds a route to `server`, or a comment that says how.
 */
export function listeningServer(factory: string, route: string): Framework['serverFile'] {
  return ({ packageName, engineFactory, options }) => ({
    imports: [`import { ${engineFactory}, ${factory} } from '${packageName}';`],
    // Without await: builds for older targets, and those with zone.js, have none at the top level.
    statements: `const server = ${factory}({
${options}});

${route}

export const reqHandler = server.reqHandler;
if (server.isMainModule(import.meta.url)) void server.listen();
`,
  });
}
