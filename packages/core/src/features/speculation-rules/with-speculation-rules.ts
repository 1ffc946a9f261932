import type { Feature } from '../../path/feature.ts';
import type { OwnCore, OwnExtension } from '../../path/own-feature.ts';
import { SpeculationRules } from './speculation-rules.ts';

/**
 * Names speculation rules in HTML answers, with which browsers prefetch pages as a visitor points at their links. The
 * rules, at `/_ng-ssr/speculation-rules.json`, list prerendered pages, and stored pages that are fresh, `public` and
 * without a query: these cost no render.
 */
export function withSpeculationRules(): Feature {
  return {
    name: 'speculation-rules',
    install: (core: OwnCore): OwnExtension => {
      if (!core.isBuilt) return {};
      const rules = new SpeculationRules(core);
      return { file: rules, finish: (answer, request) => rules.mark(answer, request) };
    },
  };
}
