import { SchematicsException } from '@angular-devkit/schematics';
import { inspect } from 'node:util';

/** Every reason to refuse a change of the workspace, by the code in its message. The comments are text of docs/errors.md. */
export interface Refusals {
  /**
   * The folder has no angular.json and no Nx workspace.
   *
   * @remarks Run the command in the folder of the workspace.
   *
   * @example There is no angular.json here: …
   */
  readonly NG_SSR_WORKSPACE_MISSING: never;
  /**
   * The workspace does not have the project of `--project`.
   *
   * @remarks Choose one of the projects in the message.
   *
   * @example There is no project "shpo" in angular.json: …
   */
  readonly NG_SSR_PROJECT_UNKNOWN: never;
  /**
   * The workspace has several applications, or none.
   *
   * @remarks Name the application with `--project`.
   *
   * @example There are several applications, shop, admin: …
   */
  readonly NG_SSR_PROJECT_AMBIGUOUS: never;
  /**
   * The project is a library.
   *
   * @remarks Choose one of the applications in the message.
   *
   * @example Project "parts" is a library: …
   */
  readonly NG_SSR_PROJECT_NOT_APPLICATION: never;
  /**
   * The project is not built by an application builder.
   *
   * @remarks Run the migration in the message, then the command again.
   *
   * @example Project "shop" has the builder @angular-devkit/build-angular:browser; …
   */
  readonly NG_SSR_BUILDER_UNSUPPORTED: never;
  /** As the error of a server. */
  readonly NG_SSR_ANGULAR_UNSUPPORTED: never;
  /**
   * `server.ts` has your own code.
   *
   * @remarks Use `--overwrite`, which keeps a backup, or a command in the message.
   *
   * @example src/server.ts is not as Angular CLI wrote it: …
   */
  readonly NG_SSR_SERVER_FILE_CHANGED: never;
  /**
   * The project has no server of this package, which deployment files need.
   *
   * @remarks Run the `ng add` command in the message first.
   *
   * @example src/server.ts is not a server of @ng-ssr/koa.
   */
  readonly NG_SSR_SERVER_MISSING: never;
  /**
   * A file that the command writes exists with another content.
   *
   * @remarks Replace it with `--overwrite`.
   *
   * @example Dockerfile exists already and differs: …
   */
  readonly NG_SSR_FILE_EXISTS: never;
  /**
   * `ng generate @ng-ssr/express:middleware` does not find the Express app, or the handler of its pages.
   *
   * @remarks Add the lines in the message to your app.
   *
   * @example src/server.ts has no statement "const app = express()", …
   */
  readonly NG_SSR_SERVER_NOT_EXPRESS: never;
  /**
   * Routes are in the fragment of the URL, which browsers do not send.
   *
   * @remarks Remove the code that the message names, then run the command again.
   *
   * @example The routes of "shop" are in the fragment of the URL, …
   */
  readonly NG_SSR_HASH_LOCATION: never;
  /** As the error of a server. */
  readonly NG_SSR_OPTION_INVALID: never;
}

/** A code of {@link Refusals}. */
export type RefusalCode = keyof Refusals;

/** The page that has an entry for each code. */
const ERRORS_PAGE = 'https://github.com/ng-ssr/ng-ssr/blob/main/docs/errors.md';

/**
 * An error for the user: the problem in one line, below it what to do instead, and the address of its entry in the
 * documentation. It is thrown before anything is written.
 */
export function refuse(
  code: RefusalCode,
  message: string,
  advice: readonly string[] = [],
): SchematicsException {
  const docs = `${ERRORS_PAGE}#${code.toLowerCase()}`;
  return forTerminal([`${message} (${code})`, ...advice, docs].join('\n'));
}

/**
 * An error that prints as its message only. It has no stack, which is of no use to the user; Nx would print it, or offer
 * to. And Nx passes an error to console.error before it prints the message: there it writes nothing.
 */
export function forTerminal(message: string): SchematicsException {
  const isNx = process.env['NX_CLI_SET'] !== undefined;
  return Object.assign(new SchematicsException(message), {
    stack: '',
    [inspect.custom]: () => (isNx ? '' : message),
  });
}
