import { SsrError } from '@ng-ssr/core/adapter';

/**
 * node:http. An import of it would read all of its exports, and one of them is a getter that loads `fetch`: that
 * takes a sixth of the time in which a server starts, and a server that only answers hits never needs it.
 */
export const http: typeof import('node:http') = readHttp();

function readHttp(): typeof import('node:http') {
  const { getBuiltinModule, version } = process as Partial<NodeJS.Process>;
  if (getBuiltinModule !== undefined) return getBuiltinModule('node:http');
  const message = `this is Node.js ${version}; supported: 20.16 and later. Update Node.js, and the image of the server`;
  throw new SsrError('NG_SSR_PLATFORM_INVALID', message);
}
