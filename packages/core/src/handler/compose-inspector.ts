import type { Calls } from '../calls/calls.ts';
import type { BuiltIndex } from '../files/built-index.ts';
import { normalisePath } from '../http/normalise-path.ts';
import { pathOf } from '../http/target.ts';
import { Inspector } from '../inspector/inspector.ts';
import { toRouteName } from '../inspector/observation/route-name.ts';
import type { Pages } from '../pages/pages.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import type { Renderer } from '../render/renderer.ts';
import type { Scheduler } from '../render/scheduler.ts';
import { WorkerPool } from '../render/workers/worker-pool.ts';
import type { ResolvedOptions } from './options.ts';

/** The parts of a handler that its inspector shows. */
export interface InspectedParts {
  readonly built: BuiltIndex;
  readonly scheduler: Scheduler;
  readonly pages: Pages;
  readonly rules: RouteRules;
  readonly calls: Calls | undefined;
  readonly renderer: Renderer;
}

/** The inspector of a main thread; undefined without the option. */
export function composeInspector(
  { inspector, render }: ResolvedOptions,
  { built, scheduler, pages, rules, calls, renderer }: InspectedParts,
): Inspector | undefined {
  if (inspector === undefined) return undefined;
  return new Inspector(inspector, {
    buildId: built.hashed?.buildId ?? '',
    scheduler,
    limits: render,
    pages,
    callBytes: () => calls?.cache.storedBytes ?? 0,
    renderThreads: () => (renderer instanceof WorkerPool ? renderer.report() : []),
    routeOf: (target) => rules.matching(toPath(target))[0]?.pattern ?? toRouteName(target),
    pathOf: toPath,
    varyOf: (path) => rules.read(path).rule?.vary,
  });
}

function toPath(target: string): string {
  return normalisePath(pathOf(target));
}
