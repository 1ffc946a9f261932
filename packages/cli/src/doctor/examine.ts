import { checkFiles } from './checks/files.ts';
import { checkHosts } from './checks/hosts.ts';
import { checkLimits } from './checks/limits.ts';
import { checkMiddleware } from './checks/middleware.ts';
import { checkNotices } from './checks/notices.ts';
import { checkPages } from './checks/pages.ts';
import { checkProcess } from './checks/process.ts';
import { checkProcesses } from './checks/processes.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkSlots } from './checks/slots.ts';
import { checkStart } from './checks/start.ts';
import { checkVersions } from './checks/versions.ts';
import type { Check } from './check.ts';
import type { Facts } from './facts/facts.ts';
import type { Finding, Severity } from './finding.ts';

const CHECKS: readonly Check[] = [
  checkStart,
  checkVersions,
  checkHosts,
  checkProcess,
  checkLimits,
  checkSecrets,
  checkMiddleware,
  checkFiles,
  checkProcesses,
  checkPages,
  checkSlots,
  checkNotices,
];
const ORDER: readonly Severity[] = ['error', 'warning', 'note'];

/** All findings, errors first. */
export function examine(facts: Facts): readonly Finding[] {
  return CHECKS.flatMap((check) => check(facts)).toSorted(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity),
  );
}
