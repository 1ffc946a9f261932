import { askAll } from './servers.mjs';

/** What our server prints where it leaves the fast way, or misses something of Angular. */
const NOTICES = /NG_SSR_(?:FAST_LEFT|ANGULAR_\w+|ERROR_UNHANDLED|RENDER_FAILED).*/g;

/** What the gallery prints where its document is ours. */
const OF_OURS = 'The document is that of ng-ssr.';

/**
 * Compares the pages of Angular's own server with those of ours, fast and not fast: status and bytes.
 *
 * @param isTested - False for a version that is not in the matrix, of which our server says so.
 * @returns The number of pages, and a line for each difference.
 */
export async function comparePages(folder, engine, isTested) {
  const angular = await askAll(folder, engine, 'angular');
  const differences = angular.pages
    .filter(({ status, body }) => status !== 200 || !body.includes('</html>'))
    .map(({ path, status }) => `${path} of Angular's own server is ${status}`);
  let pages = 0;
  for (const kind of ['fast', 'not fast']) {
    const ours = await askAll(folder, engine, kind);
    for (const [i, expected] of angular.pages.entries()) {
      pages++;
      const difference = differenceOf(expected, ours.pages[i]);
      if (difference !== undefined) {
        differences.push(`${kind} ${expected.path} (number ${i + 1}): ${difference}`);
      }
    }
    if (ours.output.includes(OF_OURS) !== (kind === 'fast')) {
      differences.push(`${kind}: pages are ${kind === 'fast' ? 'not ' : ''}rendered with our DOM`);
    }
    const notices = ours.output.match(NOTICES) ?? [];
    const unexpected = notices.filter((line) => isTested || !line.includes('ANGULAR_UNTESTED'));
    differences.push(...unexpected.map((line) => `${kind}: ${line}`));
  }
  return { pages, differences };
}

function differenceOf(expected, page) {
  if (page.status !== expected.status) return `the status is ${page.status}`;
  if (page.body === expected.body) return undefined;
  let at = 0;
  while (page.body[at] === expected.body[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return `from character ${at} on it is ${around(page.body)}, not ${around(expected.body)}`;
}
