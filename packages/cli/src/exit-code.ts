/**
 * What the command answers to the shell: 0 done, 1 it failed or has found errors, 2 it was called wrongly
 * (`NG_SSR_COMMAND_INVALID`).
 */
export type ExitCode = 0 | 1 | 2;
