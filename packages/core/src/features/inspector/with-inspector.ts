import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnCore, OwnExtension } from '../../path/own-feature.ts';
import { normalisePath, pathOf } from '../../http/target.ts';
import { describeEndpoint } from '../../path/token-endpoint.ts';
import { Explainer } from './explain.ts';
import { Inspector, type InspectorParts } from './inspector.ts';
import { type InspectorOptions, resolveInspector } from './inspector-options.ts';
import type { SlotState } from './protocol.ts';
import { toRouteName } from '../../pages/key/route-name.ts';
import { ThreadInspector } from './thread-inspector.ts';

/**
 * A page for operators: shows figures and cached pages, explains requests, and purges. `ng-ssr explain`, `purge` and `top`
 * use it. The token may be missing during `ng build`.
 *
 * @example
 * ```ts
 * features: [withInspector()]
 * ```
 */
export function withInspector(options: InspectorOptions = {}): Feature {
  return own({
    name: 'inspector',
    isForClients: true,
    isForNode: true,
    install: (core): OwnExtension => {
      const { isBuilt, main } = core;
      const resolved = resolveInspector(options, isBuilt);
      if (resolved === undefined) return {};
      const describe = () => ({ endpoints: [describeEndpoint('withInspector', resolved)] });
      if (main !== undefined) {
        const inspector = new ThreadInspector(resolved, main);
        return {
          endpoints: [inspector],
          describe,
          start: () => inspector.start(),
          close: () => inspector.stop(),
        };
      }
      const inspector = new Inspector(resolved, toParts(core));
      return {
        endpoints: [inspector],
        describe,
        noteError: (error) => inspector.observation.noteError(error),
        countAnswered: (message) => inspector.observation.addAnswered(message),
        start: () => inspector.start(),
        close: () => inspector.stop(),
      };
    },
  });
}

/** The parts of its server, which exists when it is first asked. */
function toParts(core: OwnCore): InspectorParts {
  const { index, render, rules, threads } = core;
  return {
    buildId: index.buildId ?? '',
    limits: render,
    threads,
    get scheduler() {
      return core.server.scheduler;
    },
    get pages() {
      return core.server.pages;
    },
    callBytes: () => core.server.extensions.get('calls')?.heldBytes?.() ?? 0,
    slots: () => (describeSlots(core) as DescribedSlots | undefined)?.slots ?? [],
    routeOf: (target) => rules.matching(toPath(target))[0]?.pattern ?? toRouteName(target),
    pathOf: toPath,
    varyOf: (path) => rules.read(path).rule?.vary,
    explainer: (notes) => new Explainer(core, notes),
  };
}

/** What the inspector reads of the settings of `withSlots()`. */
interface DescribedSlots {
  readonly slots: readonly Pick<SlotState, 'name' | 'routes' | 'call'>[];
}

function describeSlots({ server }: OwnCore): object | undefined {
  return server.extensions.get('slots')?.describe?.().settings;
}

function toPath(target: string): string {
  return normalisePath(pathOf(target));
}
