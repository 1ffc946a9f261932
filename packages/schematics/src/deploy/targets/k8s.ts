import {
  type Deployment,
  type DeployTarget,
  DRAIN_SECONDS,
  type MetricsPlace,
} from '../deployment.ts';
import { assignments, yamlValue } from '../quoting.ts';

/** How long a pod that ends still gets connections: until each node has removed it from the service. */
const LEAVING_SECONDS = 5;
/** Of `terminationGracePeriodSeconds`, left for the process's own end. */
const SPARE_SECONDS = 5;

export const k8s: DeployTarget = {
  title: 'Kubernetes',
  page: 'kubernetes.md',
  hasProbes: true,
  files: (deployment) => ({
    'deploy/k8s.yaml': manifests(deployment),
    ...(deployment.metrics !== undefined && {
      'deploy/prometheus-adapter.yaml': ADAPTER_RULES,
    }),
  }),
  steps: ({ name, packageName, metrics, tokens }) => [
    'Set the image, NG_ALLOWED_HOSTS and the resources in deploy/k8s.yaml.',
    ...(tokens.length === 0
      ? []
      : [
          `kubectl create secret generic ${name}${assignments(tokens).replaceAll(/ (?=\w)/g, ' --from-literal=')}`,
        ]),
    'kubectl apply -f deploy/k8s.yaml',
    metrics === undefined
      ? `To scale by the queue of renders: serve the metrics of ${packageName}/prometheus in server.ts, and run this with --overwrite.`
      : 'To scale by the queue of renders: give prometheus-adapter the rule of deploy/prometheus-adapter.yaml.',
  ],
};

function probe(path: string | undefined): string {
  return path === undefined
    ? 'tcpSocket: { port: http }'
    : `httpGet: { path: ${yamlValue(path)}, port: http }`;
}

function scraping({ port, path }: MetricsPlace): string {
  return `      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '${port}'
${path === '/metrics' ? '' : `        prometheus.io/path: ${yamlValue(path)}\n`}`;
}

const BY_QUEUE = `    # Queued renders: the pods have too little CPU for their renders, whatever hits cost.
    - type: Pods
      pods:
        metric: { name: ng_ssr_renders_queued }
        target: { type: AverageValue, averageValue: '4' }
`;

function manifests({ name, port, probes, metrics, tokens }: Deployment): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  selector:
    matchLabels: { app: ${name} }
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: { app: ${name} }
${metrics === undefined ? '' : scraping(metrics)}    spec:
      # Longer than preStop and shutdown.timeoutMs together.
      terminationGracePeriodSeconds: ${LEAVING_SECONDS + DRAIN_SECONDS + SPARE_SECONDS}
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app: ${name} }
      containers:
        - name: ${name}
          image: registry.example/${name}:1
          ports:
            - { name: http, containerPort: ${port} }
${metrics === undefined || metrics.port === port ? '' : `            - { name: metrics, containerPort: ${metrics.port} }\n`}          env:
            - { name: PORT, value: '${port}' }
            - { name: NG_ALLOWED_HOSTS, value: your.host }
${tokens.map((token) => `            - name: ${token}\n              valueFrom: { secretKeyRef: { name: ${name}, key: ${token} } }\n`).join('')}          # Probes use the pod's address as host. They are answered before the host check.
          startupProbe:
            ${probe(probes.ready)}
            periodSeconds: 1
            failureThreshold: 60
          readinessProbe:
            ${probe(probes.ready)}
            periodSeconds: 5
            timeoutSeconds: 2
            failureThreshold: 2
          livenessProbe:
            ${probe(probes.live)}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          lifecycle:
            # The pod keeps serving while the nodes remove it from the service. Then it gets SIGTERM.
            preStop:
              sleep: { seconds: ${LEAVING_SECONDS} }
          resources:
            requests: { cpu: 500m, memory: 1Gi }
            limits: { memory: 1Gi }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  selector: { app: ${name} }
  ports:
    - { name: http, port: 80, targetPort: http }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: { app: ${name} }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: 70 }
${metrics === undefined ? '' : BY_QUEUE}`;
}

const ADAPTER_RULES = `# Values of the Helm chart prometheus-community/prometheus-adapter.
rules:
  custom:
    - seriesQuery: 'ng_ssr_renders_queued{namespace!="",pod!=""}'
      resources:
        overrides:
          namespace: { resource: namespace }
          pod: { resource: pod }
      metricsQuery: 'sum(avg_over_time(<<.Series>>{<<.LabelMatchers>>}[1m])) by (<<.GroupBy>>)'
`;
