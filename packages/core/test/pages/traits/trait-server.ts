import type { SsrOptions } from '@ng-ssr/core';
import { type NodeRuntime, nodeRuntime } from '../../../src/handler/node-runtime.ts';
import { resolveOptions } from '../../../src/handler/options.ts';
import type { Pages } from '../../../src/pages/pages.ts';
import type { PageTrait } from '../../../src/pages/traits/page-trait.ts';
import { compose } from '../../../src/path/compose.ts';
import { forServer } from '../../../src/path/for-server.ts';
import { ErrorReports } from '../../../src/path/error-reports.ts';
import type { OwnFeature } from '../../../src/path/own-feature.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { emptySite, type Page, type Seen, toSeen } from '../stored-server.ts';

/** A server with traits of a test's own. */
export interface TraitServer extends Pick<NodeRuntime, 'index'> {
  readonly pages: Pages;
  get(target: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Seen>;
}

/** As `storedServer`, with traits. */
export function traitServer(
  page: Page,
  traits: readonly PageTrait[],
  given: Partial<SsrOptions> = {},
): TraitServer {
  let count = 0;
  const resolved = resolveOptions({
    engine: (request) => page(request, ++count, undefined),
    allowedHosts: ['localhost'],
    ...given,
    files: { folder: emptySite, ...given.files },
  });
  const features = traits.map((trait, at): OwnFeature => ({
    name: `${at}`,
    trait,
    traitStage: 'headers',
    install: () => ({}),
  }));
  const reports = new ErrorReports(() => undefined);
  const { concurrency = 16 } = resolved.render;
  const options = { ...resolved, render: { ...resolved.render, concurrency } };
  const place = {
    ...{ handler: 0, isMain: true, main: undefined },
    ...{ renderThreads: undefined, rendersAll: false },
  };
  const runtime = nodeRuntime(options, place, reports, features);
  const hooks = { begin: () => undefined, isProbe: () => false };
  const ofServer = forServer(options.features, { isBuilt: true, isStored: true });
  const { server, parser, requestPath: path } = compose(runtime, options, ofServer, reports, hooks);
  return {
    index: runtime.index,
    pages: server.pages,
    async get(target, headers, method) {
      const parsed = parser.parse(plainExchange(target, headers, method));
      return toSeen(path.answer(parsed) ?? (await path.answerWithRender(parsed, undefined))!);
    },
  };
}
