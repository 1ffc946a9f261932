import { existsSync, readdirSync } from 'node:fs';
import type { OldBuildsSettings } from '@ng-ssr/core';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';

/** What several processes, and processes of earlier and later builds, share. */
export const checkProcesses: Check = (facts) => [...checkStore(facts), ...checkBuilds(facts)];

const checkStore: Check = ({ server, machine }) => {
  const { cache, features = {} } = server?.description ?? {};
  if (cache === undefined) return [];
  const hasStore = 'shared-store' in features;
  const several = severalBy(machine.env);
  if (!hasStore && several !== undefined) {
    return [
      {
        id: 'store-missing',
        severity: 'warning',
        found: `${several} runs several processes without a shared page store.`,
        why: 'Each process renders every page, and a purge reaches only the process that gets it.',
        fix: "features: [withSharedStore(redisPageStore({ url: process.env['REDIS_URL'] }))]",
      },
    ];
  }
  if (hasStore && several === undefined) {
    return [
      {
        id: 'store-alone',
        severity: 'note',
        found: 'The server has withSharedStore(), but only one process was detected.',
        why: 'A single process has its pages in memory: the store only keeps them across restarts.',
        fix: 'Remove withSharedStore() from features, unless pages should survive restarts',
      },
    ];
  }
  return [];
};

/** What says that there is more than one process; undefined if nothing does. */
function severalBy(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined) return 'Kubernetes';
  if (env['pm_id'] !== undefined || env['NODE_APP_INSTANCE'] !== undefined) return 'PM2';
  if (env['NODE_UNIQUE_ID'] !== undefined) return 'node:cluster';
  if (Number(env['WEB_CONCURRENCY']) > 1) return `WEB_CONCURRENCY=${env['WEB_CONCURRENCY']}`;
  return undefined;
}

const checkBuilds: Check = ({ server }) => {
  const builds = server?.description?.features['old-builds'] as OldBuildsSettings | undefined;
  if (builds === undefined) return [];
  const missing = (builds.previous ?? []).filter((folder) => !existsSync(folder));
  const findings: Finding[] = missing.map((folder) => ({
    id: 'builds-missing',
    severity: 'warning',
    found: `withOldBuilds() names ${folder}, which does not exist.`,
    why: 'Tabs that were open during a deploy get 404 for their scripts.',
    fix: `cp -r <browser folder of the last build> ${folder}`,
  }));
  const { folder } = builds;
  if (builds.previous?.length === 0 || (folder !== undefined && isEmpty(folder))) {
    const place =
      folder === undefined ? 'withOldBuilds.previous is empty' : `${folder} has no builds yet`;
    findings.push({
      id: 'builds-empty',
      severity: 'note',
      found: `${place}.`,
      why: 'This is right for the first deploy. Later, it means that the volume is not mounted.',
      fix: 'mount a volume that all deploys share at this path',
    });
  }
  return findings;
};

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}
