import { afterMiddlewareScenario } from './after-middleware.ts';
import { browserScenario } from './browser.ts';
import { callsScenario, pageOfCallsScenario } from './calls.ts';
import { encodedScenario } from './encoded.ts';
import { dictionariesScenario } from './dictionaries.ts';
import { dictionaryChoicesScenario } from './dictionary-choices.ts';
import { earlyHintsScenario } from './early-hints.ts';
import { entityTagsScenario } from './entity-tags.ts';
import { frameworksScenario } from './frameworks.ts';
import { goodputScenario } from './goodput.ts';
import { growthScenarios } from './growth.ts';
import { hitsScenario } from './hits.ts';
import { hungScenario } from './hung.ts';
import { ladderScenario } from './ladder.ts';
import { memoryScenario } from './memory.ts';
import { microScenario } from './micro.ts';
import { missScenario } from './miss.ts';
import { mixedScenario } from './mixed.ts';
import { saturationScenario } from './saturation.ts';
import { renderCommonScenario, renderScenario, renderThreadsScenario } from './render-cost.ts';
import type { Scenario } from './scenario.ts';
import { slotsScenario } from './slots.ts';
import { specialHitsScenario } from './special-hits.ts';
import { startExampleScenario } from './start-example.ts';
import { startPackedScenario } from './start-packed.ts';
import { startScenario } from './start.ts';
import { storedScenario } from './stored.ts';
import { threadsScenario } from './threads.ts';
import { timelineScenario } from './timeline.ts';

/** Every scenario, in the order of the report. */
export const scenarios: readonly Scenario[] = [
  hitsScenario,
  browserScenario,
  afterMiddlewareScenario,
  specialHitsScenario,
  threadsScenario,
  storedScenario,
  timelineScenario,
  slotsScenario,
  earlyHintsScenario,
  ladderScenario,
  missScenario,
  callsScenario,
  pageOfCallsScenario,
  renderScenario,
  renderCommonScenario,
  renderThreadsScenario,
  frameworksScenario,
  encodedScenario,
  dictionariesScenario,
  dictionaryChoicesScenario,
  mixedScenario,
  saturationScenario,
  hungScenario,
  goodputScenario,
  ...growthScenarios,
  startScenario,
  startExampleScenario,
  startPackedScenario,
  memoryScenario,
  microScenario,
  entityTagsScenario,
];
