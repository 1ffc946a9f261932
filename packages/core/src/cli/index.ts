/** The command `ng-ssr`, which every adapter has as its bin. */
export { run } from './run.ts';
