import { DefaultReporter } from 'vitest/node';

/** Vitest's own reporter without the tests that passed: a line for each file, then the failures in full. */
export default class LinePerFile extends DefaultReporter {
  printTestCase(moduleState, test) {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test);
  }

  printTestSuite() {}
}
