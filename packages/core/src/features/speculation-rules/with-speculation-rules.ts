import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { SpeculationRules } from './speculation-rules.ts';

/**
 * Lets browsers prefetch a page when a visitor points at its link, if the page needs no render: prerendered pages, and
 * fresh cached pages that are `public` and have no query. HTML responses name the rules at
 * `/_ng-ssr/speculation-rules.json`.
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
