import { SchematicsException } from '@angular-devkit/schematics';

/** Every reason not to touch the workspace, by the code in its message. */
export type RefusalCode =
  | 'NG_SSR_WORKSPACE_MISSING'
  | 'NG_SSR_PROJECT_UNKNOWN'
  | 'NG_SSR_PROJECT_AMBIGUOUS'
  | 'NG_SSR_PROJECT_NOT_APPLICATION'
  | 'NG_SSR_BUILDER_UNSUPPORTED'
  | 'NG_SSR_ANGULAR_UNSUPPORTED'
  | 'NG_SSR_SERVER_FILE_CHANGED'
  | 'NG_SSR_SERVER_NOT_EXPRESS'
  | 'NG_SSR_OPTION_INVALID';

/**
 * For the person at the terminal: what is wrong in one line, and below it what to do instead. Nothing
 * has been written when it is thrown.
 */
export function refuse(
  code: RefusalCode,
  message: string,
  advice: readonly string[] = [],
): SchematicsException {
  return new SchematicsException([`${message} (${code})`, ...advice].join('\n'));
}
