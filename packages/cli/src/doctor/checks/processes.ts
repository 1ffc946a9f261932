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
        found: `${several} runs several processes, and they share no store of pages.`,
        why: 'Each renders every page itself, and a purge reaches only the process that gets it.',
        mend: "features: [withSharedStore(redisPageStore({ url: process.env['REDIS_URL'] }))]",
      },
    ];
  }
  if (hasStore && several === undefined) {
    return [
      {
        id: 'store-alone',
        severity: 'note',
        found: 'There is a store of pages, and nothing here says that there are several processes.',
        why: 'One process alone has its pages in memory: the store only keeps them over a restart.',
        mend: 'Remove withSharedStore() from features, unless pages are to outlive a restart',
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
    found: `withOldBuilds() names ${folder}, which is not there.`,
    why: 'Tabs that were open during a deploy get a 404 for their scripts.',
    mend: `cp -r <browser folder of the last build> ${folder}`,
  }));
  const { folder } = builds;
  if (builds.previous?.length === 0 || (folder !== undefined && isEmpty(folder))) {
    const place =
      folder === undefined ? 'previous of withOldBuilds() is empty' : `${folder} has no builds yet`;
    findings.push({
      id: 'builds-empty',
      severity: 'note',
      found: `${place}.`,
      why: 'That is right for the first deploy. Later, it means that no volume is mounted there.',
      mend: 'mount a volume that all deploys share at this path',
    });
  }
  return findings;
};

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}
