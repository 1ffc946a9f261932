import { relative } from 'node:path/posix';
import type { Deployment, DeployTarget } from '../deployment.ts';
import { scriptSpecifier, shellWord } from '../quoting.ts';
import { refuseUnlessFetch } from './refuse-unless-fetch.ts';

export const workers: DeployTarget = {
  title: 'Cloudflare Workers',
  page: 'workers.md',
  files: (deployment) => {
    refuseUnlessFetch('workers', deployment);
    return { 'worker.mjs': worker(deployment), 'wrangler.jsonc': settings(deployment) };
  },
  steps: ({ build, output }) => [
    'In angular.json, add "platform": "neutral" to "ssr" of the application.',
    'In src/server.ts, export the reqHandler of createNeutralSsrHandler from @ng-ssr/fetch/neutral.',
    `${build} && npx ng-ssr pack ${shellWord(output)} --manifest && cp worker.mjs ${shellWord(output)}/ && npx wrangler deploy`,
  ],
};

/** The files of a build are known after it, so the manifest is no part of the server's bundle. */
function worker({ output, server }: Deployment): string {
  return `import { manifest } from './ng-ssr/build-manifest.mjs';
import { reqHandler } from ${scriptSpecifier(`./${relative(output, server)}`)};

export default { fetch: reqHandler.withManifest(manifest) };
`;
}

function settings({ name, output, browser }: Deployment): string {
  return `{
  "name": "${name}",
  "main": ${JSON.stringify(`${output}/worker.mjs`)},
  "compatibility_date": "2025-09-01",
  // Upload the modules of the build unbundled, so chunks load only when needed.
  "no_bundle": true,
  "rules": [{ "type": "ESModule", "globs": ["server/**/*.mjs", "ng-ssr/*.mjs"] }],
  "assets": {
    "directory": ${JSON.stringify(browser)},
    "binding": "ASSETS",
    "html_handling": "none",
    "run_worker_first": true,
  },
}
`;
}
