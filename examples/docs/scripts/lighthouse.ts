/** `npm run lighthouse`: the scores of five pages of the built site (`npm run docs -- --build`), as a table. */
import { findChromium, NO_CHROMIUM } from '../../material-app/test/browser.ts';
import { startSite } from '../test/built-site.ts';
import { CATEGORIES, measure, PAGES } from './lighthouse/measure.ts';

const chromium = findChromium();
if (chromium === undefined) throw new Error(NO_CHROMIUM);
const site = await startSite();
console.log(['page'.padEnd(14), ...CATEGORIES].join('  '));
for (const path of PAGES) {
  const { scores, lost } = await measure(site.origin, path, chromium);
  const cells = CATEGORIES.map((of) => String(scores[of]).padStart(of.length));
  console.log([path.padEnd(14), ...cells, ...lost].join('  '));
}
await site.stop();
