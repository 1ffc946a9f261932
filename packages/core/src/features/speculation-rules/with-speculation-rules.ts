import type { OwnFeature } from '../../path/own-feature.ts';
import { SpeculationRules } from './speculation-rules.ts';

/** Names pages that browsers may prefetch, because they cost no render. */
export function withSpeculationRules(): OwnFeature {
  return {
    name: 'speculation-rules',
    install: (core) => {
      if (!core.isBuilt) return {};
      const rules = new SpeculationRules(core);
      return { file: rules, finish: (answer, visit) => rules.mark(answer, visit) };
    },
  };
}
