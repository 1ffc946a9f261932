import type { Deployment, DeployTarget } from '../deployment.ts';
import { yamlValue } from '../quoting.ts';
import { docker } from './docker.ts';

export const cloudRun: DeployTarget = {
  title: 'Google Cloud Run',
  page: 'cloud-run.md',
  hasProbes: true,
  files: (deployment) => ({
    ...docker.files(deployment),
    'deploy/cloud-run.yaml': service(deployment),
  }),
  steps: () => [
    'Set the image and NG_ALLOWED_HOSTS in deploy/cloud-run.yaml.',
    'gcloud run services replace deploy/cloud-run.yaml',
    'Cloud Run ends a process 10 s after SIGTERM: listen({ shutdown: { timeoutMs: 8000 } })',
  ],
};

function startup(path: string | undefined, port: number): string {
  return path === undefined
    ? `tcpSocket: { port: ${port} }`
    : `httpGet: { path: ${yamlValue(path)} }`;
}

/** Without a path none: Cloud Run has TCP for startup probes only. */
function liveness(path: string | undefined): string {
  if (path === undefined) return '';
  return `          livenessProbe:
            httpGet: { path: ${yamlValue(path)} }
            periodSeconds: 10
`;
}

function service({ name, port, probes }: Deployment): string {
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: ${name}
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/minScale: '1'
        run.googleapis.com/startup-cpu-boost: 'true'
        # CPU between requests too, to refresh stale pages after the response.
        run.googleapis.com/cpu-throttling: 'false'
    spec:
      containerConcurrency: 80
      timeoutSeconds: 60
      containers:
        - image: europe-docker.pkg.dev/project/images/${name}:1
          # Cloud Run sets PORT to this port.
          ports:
            - { containerPort: ${port} }
          env:
            - { name: NG_ALLOWED_HOSTS, value: 'your.host' }
            - { name: NG_TRUST_PROXY_HEADERS, value: x-forwarded-proto }
          resources:
            limits: { cpu: '1', memory: 1Gi }
          startupProbe:
            ${startup(probes.ready, port)}
            periodSeconds: 1
            failureThreshold: 60
${liveness(probes.live)}`;
}
