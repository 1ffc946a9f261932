import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { measure, PAGES } from '../scripts/lighthouse/measure.ts';
import { type BuiltSite, startSite } from './built-site.ts';

const chromium = findChromium();
if (chromium === undefined && process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
const suite = chromium === undefined ? `Lighthouse (skipped: ${NO_CHROMIUM})` : 'Lighthouse';

let site: BuiltSite;

describe.skipIf(chromium === undefined)(suite, () => {
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.stop());

  // Speed is a matter of the machine: `npm run lighthouse -w examples/docs` shows it.
  it.each(PAGES)('has nothing to say against %s', { timeout: 300_000 }, async (path) => {
    const { scores, lost } = await measure(site.origin, path, chromium!);
    expect({ ...scores, performance: 100 }, lost.join('\n')).toEqual({
      performance: 100,
      accessibility: 100,
      'best-practices': 100,
      seo: 100,
    });
  });
});
