import type { SlotsSettings } from '@ng-ssr/core';
import type { Check } from '../check.ts';

/** What keeps the data of slots from pages, or pages from starting. */
export const checkSlots: Check = (facts) => {
  const settings = facts.server?.description?.features['slots'] as SlotsSettings | undefined;
  // What is fetched from an endpoint delays no script, and any cache may keep its page.
  return settings === undefined || settings.endpoint !== undefined
    ? []
    : [...checkScripts(settings, facts), ...checkCaches(settings, facts)];
};

function checkScripts(
  { slots }: SlotsSettings,
  { build }: Parameters<Check>[0],
): ReturnType<Check> {
  if (!build.hasSeveralScripts) return [];
  const longestMs = Math.max(...slots.map(({ timeoutMs }) => timeoutMs));
  return [
    {
      id: 'slots-behind-scripts',
      severity: 'warning',
      found: 'Documents of the build have several deferred scripts, and pages have slots.',
      why: `The application starts when the last slot has ended, which takes up to ${longestMs} ms.`,
      fix: 'provideZonelessChangeDetection() without polyfills in angular.json, or a shorter timeoutMs of the slots',
    },
  ];
}

/** Of pages that have been asked for; slots for some routes may not be for these. */
function checkCaches(
  { slots }: SlotsSettings,
  { server }: Parameters<Check>[0],
): ReturnType<Check> {
  const everywhere = slots.filter(({ routes }) => routes.includes('/**'));
  const cached = [server?.page, server?.rendered].find((answer) => {
    const control = answer?.headers['cache-control'] ?? '';
    return /(?:^|[\s,])max-age=0*[1-9]/i.test(control);
  });
  if (everywhere.length === 0 || cached === undefined) return [];
  const names = everywhere.map(({ name }) => name).join(', ');
  return [
    {
      id: 'slots-in-browser-caches',
      severity: 'warning',
      found: `${cached.path} has Cache-Control: ${cached.headers['cache-control']} and the slots ${names}.`,
      why: 'A page from the cache of a browser shows the fallback.',
      fix: 'sMaxAge without maxAge in routeRules, and no max-age in headers of pages',
    },
  ];
}
