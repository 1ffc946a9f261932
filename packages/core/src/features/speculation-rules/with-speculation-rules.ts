import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { SpeculationRules } from './speculation-rules.ts';

/**
 * Names speculation rules in HTML answers, with which browsers prefetch pages as a visitor points at their links. The
 * rules, at `/_ng-ssr/speculation-rules.json`, list prerendered pages, and stored pages that are fresh, `public` and
 * without a query: these cost no render.
 */
export function withSpeculationRules(): Feature {
  return own({
    name: 'speculation-rules',
    isForNode: true,
    install: (core): OwnExtension => {
      if (!core.isBuilt) return {};
      const rules = new SpeculationRules(core);
      return { file: rules, finish: (answer, request) => rules.mark(answer, request) };
    },
  });
}
