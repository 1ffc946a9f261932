/**
 * One server of the comparison after a middleware, in a process of its own: `node after-middleware-server.ts <framework>
 * <browser folder>` is ours, with the home page as a cached page, and `<framework>:declared` ours with `withHeaders()` in place
 * of middleware. With a response (`{ headers, base64 }`) as a third argument it is the framework alone, which sends that
 * response. It tells its port when it listens.
 */
import * as ofFetch from './after-middleware-fetch.ts';
import { isOurs, name } from './after-middleware-site.ts';

const isOfFetch = name in ofFetch.bare;
const { ours, bare } = isOfFetch ? ofFetch : await import('./after-middleware-node.ts');

process.send!(await (isOurs ? ours : bare)[name]!());
process.on('disconnect', () => process.exit());
