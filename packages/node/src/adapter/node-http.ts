/**
 * node:http. An import of it would read all of its exports, and one of them is a getter that loads `fetch`: that
 * takes a sixth of the time in which a server starts, and a server that only answers hits never needs it.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
