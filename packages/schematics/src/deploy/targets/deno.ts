import type { Deployment, DeployTarget } from '../deployment.ts';
import { shellWord } from '../quoting.ts';

export const deno: DeployTarget = {
  title: 'Deno',
  page: 'bun-deno.md',
  files: ({ server }: Deployment) => ({
    'deno.json': `${JSON.stringify({ tasks: { start: command(server) } }, null, 2)}\n`,
  }),
  steps: ({ build }) => [
    `${build} && NODE_ENV=production NG_ALLOWED_HOSTS=your.host deno task start`,
  ],
};

function command(server: string): string {
  return `deno run --allow-env --allow-net --allow-read --allow-sys --allow-ffi ${shellWord(server)}`;
}
