import type { Deployment, DeployTarget } from '../deployment.ts';
import { literalPattern, scriptSpecifier } from '../quoting.ts';

export const vercel: DeployTarget = {
  title: 'Vercel',
  page: 'vercel.md',
  files: (deployment) => ({
    'vercel.json': settings(deployment),
    'api/index.mjs': pages(deployment),
  }),
  steps: () => [
    'Set NG_ALLOWED_HOSTS to the hosts of the site, in its settings.',
    'vercel deploy --prod',
  ],
};

function settings({ build, browser, output }: Deployment): string {
  const json = {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    framework: null,
    buildCommand: build,
    outputDirectory: browser,
    functions: { 'api/index.mjs': { includeFiles: `${literalPattern(output)}/**` } },
    rewrites: [{ source: '/(.*)', destination: '/api' }],
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

function pages({ server, isFetch }: Deployment): string {
  const handler = isFetch
    ? 'export default { fetch: (request) => reqHandler(request) };'
    : 'export default reqHandler;';
  return `import { reqHandler } from ${scriptSpecifier(`../${server}`)};

${handler}
`;
}
