import { SchematicsException } from '@angular-devkit/schematics';
import { inspect } from 'node:util';

/** Every reason to refuse a change of the workspace, by the code in its message. */
export type RefusalCode =
  | 'NG_SSR_WORKSPACE_MISSING'
  | 'NG_SSR_PROJECT_UNKNOWN'
  | 'NG_SSR_PROJECT_AMBIGUOUS'
  | 'NG_SSR_PROJECT_NOT_APPLICATION'
  | 'NG_SSR_BUILDER_UNSUPPORTED'
  | 'NG_SSR_ANGULAR_UNSUPPORTED'
  | 'NG_SSR_SERVER_FILE_CHANGED'
  | 'NG_SSR_SERVER_MISSING'
  | 'NG_SSR_FILE_EXISTS'
  | 'NG_SSR_SERVER_NOT_EXPRESS'
  | 'NG_SSR_OPTION_INVALID';

/**
 * An error for the user: the problem in one line, and below it what to do instead. It is thrown before
 * anything is written.
 */
export function refuse(
  code: RefusalCode,
  message: string,
  advice: readonly string[] = [],
): SchematicsException {
  return forTerminal([`${message} (${code})`, ...advice].join('\n'));
}

/** An error that prints as its message only: Nx prints errors of schematics with their stack. */
export function forTerminal(message: string): SchematicsException {
  return Object.assign(new SchematicsException(message), { [inspect.custom]: () => message });
}
