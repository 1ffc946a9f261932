import { join } from 'node:path/posix';
import type { Deployment, DeployTarget, PackageInstall } from '../deployment.ts';
import { dockerPaths, ignoredPath, scriptString } from '../quoting.ts';

/** The image of Node, in both stages: the addon of ETags was installed for its C library. */
const IMAGE = 'node:24-slim';

/** What is loaded at run time by its name, from beside the bundle: the addon of ETags, and its loader. */
const BESIDE_THE_BUNDLE = ['@ng-ssr/etag', 'node-gyp-build'];

export const docker: DeployTarget = {
  title: 'Docker',
  page: 'docker.md',
  hasProbes: true,
  files: (deployment) => ({
    Dockerfile: dockerfile(deployment),
    '.dockerignore': ignored(deployment),
  }),
  steps: ({ name, port, packages, tokens }) => [
    `docker build -t ${name}${secretFlags(packages)} .`,
    `docker run --rm -p ${port}:${port} -e NG_ALLOWED_HOSTS=localhost ${tokens.map((token) => `-e ${token} `).join('')}${name}`,
  ],
};

function dockerfile({ packages, build, output, server, port, probes }: Deployment): string {
  const { files, install, secrets } = packages;
  const mounts = secrets.map(
    (name) => `--mount=type=secret,id=${secretId(name)},target=/app/${name} `,
  );
  const run = `RUN ${mounts.join('')}${install}\n`;
  const manifests = files.length === 0 ? '' : `COPY ${files.join(' ')} ./\n${run}`;
  const afterAll = files.length === 0 ? run : '';
  const copies = BESIDE_THE_BUNDLE.map(
    (name) => `COPY --from=build /app/node_modules/${name} node_modules/${name}\n`,
  );
  return `FROM ${IMAGE} AS build
WORKDIR /app
${manifests}COPY . .
${afterAll}RUN ${build}

# The bundle contains its dependencies. Only the ETag addon is loaded from node_modules.
FROM ${IMAGE}
WORKDIR /app
${copies.join('')}COPY --from=build ${dockerPaths(join('/app', output), output)}
ENV NODE_ENV=production PORT=${port}
# With more V8 threads than cores, the main thread has to wait.
ENV NODE_OPTIONS=--v8-pool-size=1
USER node
EXPOSE ${port}
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", ${JSON.stringify(healthCheck(probes.live))}]
# No shell, so node receives signals.
CMD ["node", ${JSON.stringify(server)}]
`;
}

function healthCheck(live: string | undefined): string {
  return live === undefined
    ? "require('net').connect(process.env.PORT, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"
    : `fetch('http://127.0.0.1:' + process.env.PORT + ${scriptString(live)}).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`;
}

/** The name of a secret of a build: that of its file. */
export function secretId(file: string): string {
  return file.replace(/[^a-z]/g, '');
}

function secretFlags({ secrets }: PackageInstall): string {
  return secrets.map((name) => ` --secret id=${secretId(name)},src=${name}`).join('');
}

/** `**` is any folder, the root included: packages of a workspace have such files, too. */
function ignored({ output, packages: { secrets } }: Deployment): string {
  const isInDist = output === 'dist' || output.startsWith('dist/');
  const paths = [
    ...['**/.angular', '**/.git', '**/.env*', '**/.npmrc', '**/node_modules'],
    ...secrets.filter((name) => name !== '.npmrc'),
    ...['dist', ...(isInDist ? [] : [ignoredPath(output)])],
    ...['Dockerfile', '.dockerignore', 'compose.yaml'],
  ];
  return paths.map((path) => `${path}\n`).join('');
}
