import { VERSION } from '@angular/core';
import { SsrError } from '@ng-ssr/core/neutral';
import { TESTED_ANGULARS } from './tested-angulars.ts';

let isReported = false;

/**
 * Refuses an Angular that is not supported, and reports, once, one that is not tested.
 *
 * @param isReporting - False where another thread of the process reports it.
 * @throws SsrError NG_SSR_ANGULAR_UNSUPPORTED
 */
export function checkAngularVersion(isReporting: boolean): void {
  const { full } = VERSION;
  const [oldest] = TESTED_ANGULARS[0]!;
  // A build of Angular's own repository.
  if (full.startsWith('0.0.0')) return;
  if (compare(full, oldest) < 0) {
    const command = `npx ng update @angular/core@${nextMajor(full)} @angular/cli@${nextMajor(full)}`;
    throw new SsrError(
      'NG_SSR_ANGULAR_UNSUPPORTED',
      `this application has Angular ${full}; supported: ${oldest} and later. Run "${command}".`,
    );
  }
  if (!isReporting || isReported || isTested(full)) return;
  isReported = true;
  const tested = TESTED_ANGULARS.map((row) => [...new Set(row)].join(' to ')).join(', ');
  const { code, message, docs } = new SsrError(
    'NG_SSR_ANGULAR_UNTESTED',
    `this version of ng-ssr is not tested with Angular ${full} (tested: ${tested}). "ng-ssr doctor --compare" compares ` +
      'your pages with those of Angular.',
  );
  console.error(`ng-ssr: ${code}: ${message} (${docs})`);
}

/** `ng update` goes to the newest version of a major, and takes one major at a time. */
function nextMajor(version: string): number {
  const [major = 0] = numbersOf(version);
  const [oldest = 0] = numbersOf(TESTED_ANGULARS[0]![0]);
  return Math.min(major + 1, oldest);
}

/** Prereleases are not tested. */
function isTested(version: string): boolean {
  const minorOf = (other: string): string => other.split('.', 2).join('.');
  return (
    !version.includes('-') &&
    TESTED_ANGULARS.some(
      ([first, last]) =>
        minorOf(first) === minorOf(version) &&
        compare(first, version) <= 0 &&
        compare(version, last) <= 0,
    )
  );
}

function compare(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

function numbersOf(version: string): number[] {
  return version.split('-', 1)[0]!.split('.').map(Number);
}
