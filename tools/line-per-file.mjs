import { writeFileSync } from 'node:fs';
import { DefaultReporter } from 'vitest/node';

/**
 * Vitest's own reporter without the tests that passed: a line for each file, then the failures in full. Writes how many
 * tests have passed, failed and been skipped as JSON into the file of `NG_SSR_COUNTS`.
 */
export default class LinePerFile extends DefaultReporter {
  printTestCase(moduleState, test) {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }

  printTestSuite() {}

  onTestRunEnd(modules, errors, reason) {
    super.onTestRunEnd(modules, errors, reason);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      const before = counts.failed;
      for (const test of module.children.allTests()) counts[test.result().state]++;
      // A file that does not load, or a hook.
      if (module.state() === 'failed' && counts.failed === before) counts.failed++;
    }
    writeFileSync(process.env.NG_SSR_COUNTS, JSON.stringify(counts));
  }
}
