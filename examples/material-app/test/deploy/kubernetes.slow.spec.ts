import { setTimeout as delay } from 'node:timers/promises';
import { stress } from '@ng-ssr/conformance/fuzz';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fileShownIn, pageOf } from '../../../../packages/schematics/test/deploy-page.ts';
import { added, deployTo, editServer } from '../../../../packages/schematics/test/deployed.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { Load } from './load.ts';
import { shopFolder } from './site-folder.ts';
import { typeErrorsOf } from './kubernetes-types.ts';

const text = fileShownIn('kubernetes.md', 'deploy/k8s.yaml');
const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: never;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
}

const specOf = <Spec>(kind: string, among = objects): Spec =>
  among.find((one) => one.kind === kind)!.spec;
const pod = specOf<{ template: { spec: PodSpec } }>('Deployment').template.spec;
const container = pod.containers[0]!;

/** The manifests of a server with the metrics of the page. */
async function withMetrics(): Promise<Manifest[]> {
  const tree = await added('koa');
  const [, metrics] = /```ts\n([^]*?)```/.exec(pageOf('kubernetes.md'))!;
  editServer(tree, (server) => `${server}\n${metrics}`);
  const { after } = await deployTo('k8s', 'koa', tree);
  return parseAllDocuments(after.readText('/deploy/k8s.yaml')).map(
    (document) => document.toJS() as Manifest,
  );
}

describe('the manifests', () => {
  test('have the types of the Kubernetes API', () => {
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
    ]);
    expect(typeErrorsOf(objects)).toEqual([]);
    // The HPA has the number of pods, and each apply would reset it.
    expect(specOf('Deployment')).not.toHaveProperty('replicas');
    const wrong = structuredClone(objects) as unknown as { spec: { minReplica: number } }[];
    wrong[3]!.spec.minReplica = 2;
    expect(typeErrorsOf(wrong as never).join()).toContain('"minReplica"\' does not exist');
  });

  test('of a server with metrics scale by one that there is, under the name of the rule for prometheus-adapter', async () => {
    const scaled = await withMetrics();
    expect(typeErrorsOf(scaled)).toEqual([]);
    const { collectMetrics } = await import('@ng-ssr/core/prometheus');
    const { Registry } = await import('prom-client');
    const registry = new Registry();
    const end = collectMetrics(registry);
    const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    end();
    const { metrics } = specOf<{ metrics: { pods?: { metric: { name: string } } }[] }>(
      'HorizontalPodAutoscaler',
      scaled,
    );
    const name = metrics.flatMap(({ pods }) => pods?.metric.name ?? []);
    expect(names).toEqual(expect.arrayContaining(name));
    const rules = parse(fileShownIn('kubernetes.md', 'deploy/prometheus-adapter.yaml')) as {
      rules: { custom: { seriesQuery: string }[] };
    };
    expect(rules.rules.custom.map(({ seriesQuery }) => seriesQuery.split('{')[0])).toEqual(name);
  });
});

test('a pod starts, leaves the service, drains and ends in time', async () => {
  const port = await freePort();
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  expect(env['PORT']).toBe(String(container.ports[0]!.containerPort));
  const server = await DeployedServer.start({
    // As the image starts it.
    command: [process.execPath, 'dist/shop/server/server.mjs'],
    cwd: shopFolder(true),
    env: { ...env, NODE_ENV: 'production', PORT: String(port), NG_ALLOWED_HOSTS: '127.0.0.1' },
    origin: `http://127.0.0.1:${port}`,
    user: 1000,
  });
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  for (const { httpGet } of probes) {
    // The kubelet asks the address of the pod.
    const { status } = await askOver(server.origin)(httpGet.path, { host: '10.1.2.3:4000' });
    expect(status).toBe(200);
  }
  await expectPages(askOver(server.origin));

  // The kubelet waits for preStop, and sends SIGTERM then. Connections come until the nodes know.
  const { seconds } = container.lifecycle.preStop.sleep;
  const load = new Load(port);
  await load.more(20);
  await delay(stress(seconds * 1000));
  await load.more(20);
  await load.stop();
  expect(load.failures).toEqual([]);
  const last = askOver(server.origin)('/products/7');
  // A server that answers on a connection which came later has read the one before.
  await askOver(server.origin)('/about');
  const begin = performance.now();
  const code = await server.drain();
  expect((await last).status).toBe(200);
  expect(code).toBe(0);
  // What preStop leaves of the grace period, also where a short run has waited less for it.
  const leftSeconds = pod.terminationGracePeriodSeconds - seconds;
  expect(performance.now() - begin).toBeLessThan(leftSeconds * 1000);
  // preStop and the longest drain, the default of shutdown.timeoutMs, are within the grace period.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + 10);
});
