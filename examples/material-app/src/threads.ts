import { withServerThreads } from '@ng-ssr/fetch';

const value = process.env['THREADS'];

/** `THREADS`: how many threads serve, or `auto`. For servers on Node. */
export const serverThreads = withServerThreads({
  threads: value === 'auto' ? value : Number(value || 1),
});
