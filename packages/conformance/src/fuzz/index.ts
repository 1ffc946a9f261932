export { isShort, stress } from './extent.ts';
export { ECHO_RULES, echoEngine, FAILING_ROUTES } from './echo-engine.ts';
export { type FuzzOptions, fuzzOptions } from './fuzz-options.ts';
export { fuzzOverSockets, type SocketFuzzReport } from './fuzz-over-sockets.ts';
export { type HostileRequest, HostileRequests } from './hostile-requests.ts';
export { type FuzzAnswer, problemsOf } from './problems-of.ts';
export { Random } from './random.ts';
export { seed } from './seed.ts';
