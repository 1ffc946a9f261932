import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';

/** The environment of the process: its mode, probes and threads of libuv. */
export const checkProcess: Check = ({ server, machine }) => {
  const { env } = machine;
  const findings: Finding[] = [];
  const isProduction = env['NODE_ENV'] === 'production';
  if (!isProduction) {
    findings.push({
      id: 'node-env',
      severity: 'warning',
      found: `NODE_ENV is ${JSON.stringify(env['NODE_ENV'] ?? '')}.`,
      why: 'Error responses show stacks, and frameworks run in development mode.',
      fix: 'NODE_ENV=production ng-ssr doctor, and the same for the server',
    });
  }
  if (isProduction && server?.description?.errorDetails === true) {
    findings.push({
      id: 'error-details',
      severity: 'error',
      found: 'errorDetails is true.',
      why: 'Every client can read the stacks of errors: paths, versions, parts of data.',
      fix: "errorDetails: process.env['NODE_ENV'] !== 'production'",
    });
  }
  const { probes } = server?.description ?? {};
  if (machine.isContainer && probes !== undefined && probes.ready === undefined) {
    const isKubernetes = env['KUBERNETES_SERVICE_HOST'] !== undefined;
    findings.push({
      id: 'probes-missing',
      severity: isKubernetes ? 'error' : 'warning',
      found: `This is ${isKubernetes ? 'Kubernetes' : 'a container'}, and the server has no readiness probe.`,
      why:
        'Requests arrive before the server is ready and while it shuts down. A probe of a page gets 400, because its ' +
        "Host is the pod's address.",
      fix: "probes: { live: '/livez', ready: '/readyz' }",
    });
  }
  const size = env['UV_THREADPOOL_SIZE'];
  if (size !== undefined && !(Number(size) >= 4)) {
    findings.push({
      id: 'thread-pool',
      severity: 'warning',
      found: `UV_THREADPOOL_SIZE is ${JSON.stringify(size)}.`,
      why: 'File reads, DNS lookups and two encodings of pages share these threads, and wait for each other.',
      fix: 'unset UV_THREADPOOL_SIZE, or UV_THREADPOOL_SIZE=4',
    });
  }
  return findings;
};
