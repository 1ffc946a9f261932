export { defineConformanceSuite } from './suite.ts';
export { defineSocketFuzz } from './fuzz/define-socket-fuzz.ts';
export type {
  Encoding,
  ConformanceServer,
  ConformanceServerOptions,
  ConformanceSuite,
  ExpectedFailure,
  Hits,
} from './server-contract.ts';
export { defineMiddlewareSuite, type MiddlewareSuite } from './middleware/suite.ts';
export { middlewareCases } from './middleware/cases.ts';
export type { LogLine } from './middleware/request-log.ts';
export { conformanceCases } from './cases/index.ts';
export type { CaseTraits, ConformanceCase } from './conformance-case.ts';
export type { CaseContext } from './case-context.ts';
export type { CallingFeatures } from './fixture-features.ts';
export { CALLS } from './calling-stub-pages.ts';
export type { ProfileName } from './profiles.ts';
export type { RunningServer } from './running-server.ts';

export {
  DELIBERATE_404,
  FIXTURE_ROUTES,
  fixtureEffect,
  FORM_ANSWER,
  type FixtureEffect,
} from './fixture-effects.ts';
export { fixtureMiddleware, fixtureRoutes } from './fixture-middleware.ts';
export {
  koaFixtureMiddleware,
  koaFixtureRoutes,
  type KoaFixtureContext,
  type KoaFixtureRouter,
} from './koa-fixtures.ts';

export { createFixtureSite, type FixtureSite } from './fixture-site.ts';
export { createStubEngine, type HeldRender, type StubEngine } from './stub-engine.ts';

export {
  createHttp1Client,
  headerLines,
  headerOf,
  FIXTURE_HOST,
  requestBytes,
  type ClientRequest,
  type ClientResponse,
  type ConformanceClient,
} from './client.ts';
export { createHttp2Client } from './http2-client.ts';
export { createKeptConnectionClient } from './kept-connection-client.ts';
export { startChild } from './child/start-child.ts';
export { RawConnection } from './raw-client.ts';
export type { Framing, ParsedResponse } from './response-parser.ts';

export type { SeenRequest } from './seen-request.ts';
