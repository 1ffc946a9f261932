import type { Deployment, DeployTarget } from '../deployment.ts';
import { assignments, shellWord } from '../quoting.ts';

export const heroku: DeployTarget = {
  title: 'Heroku',
  page: 'paas.md',
  files: ({ server }: Deployment) => ({ Procfile: `web: node ${shellWord(server)}\n` }),
  steps: ({ tokens }) => [
    `heroku config:set NG_ALLOWED_HOSTS=your.host NG_TRUST_PROXY_HEADERS=x-forwarded-proto${assignments(tokens)}`,
    'git push heroku main',
  ],
};
