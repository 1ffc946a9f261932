import { SchematicsException } from '@angular-devkit/schematics';

/** Every reason not to touch the workspace, by the code that ends its message. */
export type RefusalCode =
  | 'NG_SSR_WORKSPACE_MISSING'
  | 'NG_SSR_PROJECT_UNKNOWN'
  | 'NG_SSR_PROJECT_AMBIGUOUS'
  | 'NG_SSR_PROJECT_NOT_APPLICATION'
  | 'NG_SSR_BUILDER_UNSUPPORTED'
  | 'NG_SSR_ANGULAR_UNSUPPORTED'
  | 'NG_SSR_SERVER_FILE_CHANGED'
  | 'NG_SSR_OPTION_INVALID';

/** One line for the person at the terminal; nothing has been written when it is thrown. */
export function refuse(code: RefusalCode, message: string): SchematicsException {
  return new SchematicsException(`${message} (${code})`);
}
