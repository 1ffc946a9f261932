/** The command `ng-ssr`, which every adapter has as its bin. */
export type { ExitCode } from './exit-code.ts';
export { run } from './run.ts';
