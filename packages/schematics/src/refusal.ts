import { SchematicsException } from '@angular-devkit/schematics';
import { inspect } from 'node:util';

/** Every reason to refuse a change of the workspace, by the code in its message. The comments are text of docs/errors.md. */
export interface Refusals {
  /**
   * There is no angular.json, nor a workspace of Nx, where the command runs.
   *
   * @remarks Run it in the folder of the workspace.
   *
   * @example There is no angular.json here: run this in an Angular workspace.
   */
  readonly NG_SSR_WORKSPACE_MISSING: never;
  /**
   * `--project` names a project that the workspace does not have.
   *
   * @remarks The message lists the projects.
   *
   * @example There is no project "shpo" in angular.json: it has shop, admin.
   */
  readonly NG_SSR_PROJECT_UNKNOWN: never;
  /**
   * The workspace has several applications, or none, and `--project` is not given.
   *
   * @remarks Name the application with `--project`.
   *
   * @example There are several applications, shop, admin: choose one, as in ng add @ng-ssr/koa --project shop.
   */
  readonly NG_SSR_PROJECT_AMBIGUOUS: never;
  /**
   * The project is a library: only applications are served.
   *
   * @remarks The message lists the applications.
   *
   * @example Project "parts" is a library: only applications are served. The workspace has shop.
   */
  readonly NG_SSR_PROJECT_NOT_APPLICATION: never;
  /**
   * The project is not built by an application builder.
   *
   * @remarks Run the migration that the message names, then the command again.
   *
   * @example Project "shop" has the builder @angular-devkit/build-angular:browser; supported: @angular/build:application, … Run ng update @angular/cli --name use-application-builder first.
   */
  readonly NG_SSR_BUILDER_UNSUPPORTED: never;
  /** As the error of a server. */
  readonly NG_SSR_ANGULAR_UNSUPPORTED: never;
  /**
   * `server.ts` has code of yours: it is neither as the Angular CLI nor as ng-ssr wrote it.
   *
   * @remarks `--overwrite` replaces it and keeps a backup. The message names commands that leave it as it is.
   *
   * @example src/server.ts is not as Angular CLI wrote it: ng add @ng-ssr/koa --overwrite replaces it and keeps a backup, ng generate @ng-ssr/koa:server writes src/server.koa.ts beside it.
   */
  readonly NG_SSR_SERVER_FILE_CHANGED: never;
  /**
   * The files of a deployment were asked for, and the project has no server of this package.
   *
   * @remarks Run the `ng add` that the message names first.
   *
   * @example src/server.ts is not a server of @ng-ssr/koa.
   */
  readonly NG_SSR_SERVER_MISSING: never;
  /**
   * A file that the command writes is there already, with another content.
   *
   * @remarks `--overwrite` replaces it.
   *
   * @example Dockerfile is there already, and differs: ng generate @ng-ssr/koa:deploy docker --overwrite replaces what is there.
   */
  readonly NG_SSR_FILE_EXISTS: never;
  /**
   * `ng generate @ng-ssr/express:middleware` does not find an Express app in `server.ts`, or the handler that
   * renders its pages. Nothing is changed.
   *
   * @remarks Add the lines that the message shows to your app.
   *
   * @example src/server.ts has no statement "const app = express()", so nothing was changed.
   */
  readonly NG_SSR_SERVER_NOT_EXPRESS: never;
  /**
   * The application has its routes in the fragment of the URL (`withHashLocation()`, `useHash: true`), which browsers do
   * not send: a server would render the home page for every address.
   *
   * @remarks Remove what the message names, then run the command again.
   *
   * @example The routes of "shop" are in the fragment of the URL, which browsers do not send, …: remove withHashLocation() in src/app/app.config.ts first.
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
