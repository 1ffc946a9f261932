import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';
import { assignments, tomlValue } from '../quoting.ts';
import { docker, secretId } from './docker.ts';

export const fly: DeployTarget = {
  title: 'Fly.io',
  page: 'paas.md',
  hasProbes: true,
  files: (deployment) => ({ ...docker.files(deployment), 'fly.toml': flyFile(deployment) }),
  steps: ({ tokens, packages: { secrets } }) => [
    'Set app and NG_ALLOWED_HOSTS in fly.toml.',
    ...(tokens.length === 0 ? [] : [`fly secrets set${assignments(tokens)}`]),
    `fly deploy${secrets.map((file) => ` --build-secret ${secretId(file)}="$(cat ${file})"`).join('')}`,
  ],
};

function check(ready: string | undefined, port: number): string {
  return ready === undefined
    ? `[checks.port]\ntype = "tcp"\nport = ${port}`
    : `[[http_service.checks]]\npath = ${tomlValue(ready)}`;
}

function flyFile({ name, port, probes }: Deployment): string {
  return `app = "${name}"
# The default is SIGINT and 5 s. The server may need 10 s to finish its requests.
kill_signal = "SIGTERM"
kill_timeout = "${STOP_SECONDS}s"

[env]
PORT = "${port}"
NG_ALLOWED_HOSTS = "${name}.fly.dev"
NG_TRUST_PROXY_HEADERS = "x-forwarded-proto"

[http_service]
internal_port = ${port}
force_https = true
min_machines_running = 1

[http_service.concurrency]
type = "requests"
soft_limit = 200

${check(probes.ready, port)}
interval = "5s"
timeout = "2s"
grace_period = "10s"
`;
}
