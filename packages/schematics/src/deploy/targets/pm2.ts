import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';
import { scriptString } from '../quoting.ts';

export const pm2: DeployTarget = {
  title: 'PM2',
  page: 'pm2.md',
  files: (deployment) => ({ 'ecosystem.config.cjs': ecosystem(deployment) }),
  steps: ({ build, name }) => [
    `${build} && pm2 start ecosystem.config.cjs && pm2 save`,
    `After each deployment: ${build} && pm2 reload ${name}`,
  ],
};

function ecosystem({ name, server, port }: Deployment): string {
  return `module.exports = {
  apps: [
    {
      name: '${name}',
      script: ${scriptString(server)},
      cwd: __dirname,
      exec_mode: 'cluster',
      instances: 'max',
      // Longer than shutdown.timeoutMs (10 s).
      kill_timeout: ${STOP_SECONDS * 1000},
      listen_timeout: 30000,
      env: {
        NODE_ENV: 'production',
        PORT: ${port},
        NG_ALLOWED_HOSTS: 'your.host',
      },
    },
  ],
};
`;
}
