import type { Deployment, DeployTarget } from '../deployment.ts';
import { shellWord, yamlValue } from '../quoting.ts';

export const firebase: DeployTarget = {
  title: 'Firebase App Hosting',
  page: 'cloud-run.md',
  files: (deployment) => ({ 'apphosting.yaml': appHosting(deployment) }),
  steps: () => [
    'Set NG_ALLOWED_HOSTS in apphosting.yaml, and push: App Hosting builds and starts the application.',
  ],
};

function appHosting({ server, build }: Deployment): string {
  return `# A Cloud Run service.
runConfig:
  minInstances: 1
  maxInstances: 10
  concurrency: 80
  cpu: 1
  memoryMiB: 1024
env:
  - variable: NG_ALLOWED_HOSTS
    value: your.host,*.hosted.app
    availability: [RUNTIME]
  - variable: NODE_ENV
    value: production
    availability: [RUNTIME]
scripts:
  buildCommand: ${yamlValue(build)}
  runCommand: ${yamlValue(`node ${shellWord(server)}`)}
`;
}
