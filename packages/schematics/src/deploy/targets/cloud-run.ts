import type { Deployment, DeployTarget } from '../deployment.ts';
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
        # CPU between requests too: stale pages are refreshed after the answer.
        run.googleapis.com/cpu-throttling: 'false'
    spec:
      containerConcurrency: 80
      timeoutSeconds: 60
      containers:
        - image: europe-docker.pkg.dev/project/images/${name}:1
          # Cloud Run sets PORT to it.
          ports:
            - { containerPort: ${port} }
          env:
            - { name: NG_ALLOWED_HOSTS, value: 'your.host' }
            - { name: NG_TRUST_PROXY_HEADERS, value: x-forwarded-proto }
          resources:
            limits: { cpu: '1', memory: 1Gi }
          startupProbe:
            httpGet: { path: ${probes.ready} }
            periodSeconds: 1
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: ${probes.live} }
            periodSeconds: 10
`;
}
