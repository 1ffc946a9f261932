import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';
import { docker, secretId } from './docker.ts';

export const compose: DeployTarget = {
  title: 'Docker Compose with Redis',
  page: 'compose.md',
  hasProbes: true,
  files: (deployment) => ({ ...docker.files(deployment), 'compose.yaml': composeFile(deployment) }),
  steps: ({ packageName, packages }) => [
    `${packages.add} @ng-ssr/redis`,
    `In server.ts: import { redisPageStore } from '@ng-ssr/redis' and { withPurgeEndpoint, withSharedStore } from '${packageName}', and add to the server's options`,
    '  features: [',
    '    withSharedStore(redisPageStore()),',
    "    withPurgeEndpoint({ path: '/_cache/purge', token: process.env['PURGE_TOKEN'] }),",
    '  ],',
    'PURGE_TOKEN=$(openssl rand -hex 32) docker compose up --build',
  ],
};

function required(variable: string): string {
  return `      ${variable}: \${${variable}:?set ${variable} to your own secret}\n`;
}

function composeFile({ name, port, tokens, packages: { secrets } }: Deployment): string {
  const ids = secrets.map(secretId);
  const build = ids.length === 0 ? '.' : `{ context: ., secrets: [${ids.join(', ')}] }`;
  const files = secrets.map((file) => `  ${secretId(file)}: { file: ${file} }\n`);
  return `services:
  ${name}:
    build: ${build}
    restart: unless-stopped
    ports: ['${port}:${port}']
    environment:
      NG_ALLOWED_HOSTS: \${NG_ALLOWED_HOSTS:-localhost}
${['PURGE_TOKEN', ...tokens.filter((token) => token !== 'PURGE_TOKEN')].map(required).join('')}      REDIS_URL: redis://redis:6379
    # Longer than shutdown.timeoutMs (10 s).
    stop_grace_period: ${STOP_SECONDS}s
    read_only: true
    cap_drop: [ALL]
    security_opt: ['no-new-privileges:true']
    depends_on:
      redis: { condition: service_healthy }
  redis:
    image: redis:7-alpine
    restart: unless-stopped
    # A cache only: nothing is saved to disk, and a full Redis evicts the pages that expire soonest.
    command:
      ['redis-server', '--save', '', '--appendonly', 'no', '--maxmemory', '256mb', '--maxmemory-policy', 'volatile-ttl']
    healthcheck:
      test: ['CMD', 'redis-cli', 'ping']
      interval: 5s
      timeout: 3s
${files.length === 0 ? '' : `secrets:\n${files.join('')}`}`;
}
