import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The specs that take longest, by the end of their paths. */
const LONGEST = [
  'material-app/test/built-app.spec.ts',
  'material-app/test/browser-app.spec.ts',
  'material-app/test/browser-common.spec.ts',
  'material-app/test/overload.spec.ts',
  'fetch/test/shutdown.spec.ts',
  '/conformance-workers.spec.ts',
  'core/test/render/concurrency-limit.spec.ts',
  'core/test/render/workers/lost-threads.spec.ts',
  'tools/test/dependency-rule.spec.ts',
];

/** Begins with the longest specs: the last ones decide when the run ends, and leave other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((end) => moduleId.endsWith(end));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: ['packages/*', 'native', 'examples/material-app', 'tools', 'bench'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
