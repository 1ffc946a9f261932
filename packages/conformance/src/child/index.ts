/** For programs that `startChild` starts: all that a server under test needs, without vitest. */
export { connectToSuite, type SuiteConnection } from './suite-connection.ts';
export type { CallingFeatures } from '../fixture-features.ts';
export { onlyInThreads } from './only-in-threads.ts';
export {
  DELIBERATE_404,
  FIXTURE_ROUTES,
  fixtureEffect,
  FORM_ANSWER,
  type FixtureEffect,
} from '../fixture-effects.ts';
export { fixtureMiddleware, fixtureRoutes } from '../fixture-middleware.ts';
export {
  koaFixtureMiddleware,
  koaFixtureRoutes,
  type KoaFixtureContext,
  type KoaFixtureRouter,
} from '../koa-fixtures.ts';
