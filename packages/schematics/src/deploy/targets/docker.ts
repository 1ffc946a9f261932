import type { Deployment, DeployTarget } from '../deployment.ts';

/** The image of Node, in both stages: the addon of entity tags was installed for its C library. */
const IMAGE = 'node:24-slim';

/** What is loaded at run time by its name, from beside the bundle: the addon of entity tags, and its loader. */
const BESIDE_THE_BUNDLE = ['@ng-ssr/etag', 'node-gyp-build'];

export const docker: DeployTarget = {
  title: 'Docker',
  page: 'docker.md',
  hasProbes: true,
  files: (deployment) => ({
    Dockerfile: dockerfile(deployment),
    '.dockerignore': IGNORED,
  }),
  steps: ({ name, port }) => [
    `docker build -t ${name} .`,
    `docker run --rm -p ${port}:${port} -e NG_ALLOWED_HOSTS=localhost ${name}`,
  ],
};

function dockerfile({ packages, build, output, server, port, probes }: Deployment): string {
  const { files, install } = packages;
  const manifests = files.length === 0 ? '' : `COPY ${files.join(' ')} ./\nRUN ${install}\n`;
  const afterAll = files.length === 0 ? `RUN ${install}\n` : '';
  const copies = BESIDE_THE_BUNDLE.map(
    (name) => `COPY --from=build /app/node_modules/${name} node_modules/${name}\n`,
  );
  return `FROM ${IMAGE} AS build
WORKDIR /app
${manifests}COPY . .
${afterAll}RUN ${build}

# The bundle contains its dependencies. Only the addon for entity tags is loaded from node_modules.
FROM ${IMAGE}
WORKDIR /app
${copies.join('')}COPY --from=build /app/${output} ${output}
ENV NODE_ENV=production PORT=${port}
# V8's own threads: more than the cores of a container make the main thread wait.
ENV NODE_OPTIONS=--v8-pool-size=1
USER node
EXPOSE ${port}
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '${probes.live}').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell: signals reach node.
CMD ["node", "${server}"]
`;
}

const IGNORED = `.angular
.git
.env*
dist
node_modules
Dockerfile
.dockerignore
compose.yaml
`;
