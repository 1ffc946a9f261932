import type { Deployment, DeployTarget } from '../deployment.ts';
import { literalPattern, scriptSpecifier, tomlValue } from '../quoting.ts';
import { refuseUnlessFetch } from './refuse-unless-fetch.ts';

export const netlify: DeployTarget = {
  title: 'Netlify',
  page: 'netlify.md',
  files: (deployment) => {
    refuseUnlessFetch('netlify', deployment);
    return {
      'netlify.toml': settings(deployment),
      'netlify/functions/pages.mjs': pages(deployment),
    };
  },
  steps: () => [
    'Set NG_ALLOWED_HOSTS to the hosts of the site, in its settings.',
    'netlify deploy --prod',
  ],
};

function settings({ build, browser, output }: Deployment): string {
  return `[build]
command = ${tomlValue(build)}
publish = ${tomlValue(browser)}

[functions]
# The bundle contains its dependencies. Deploy it unchanged, with the browser files.
external_node_modules = ["*"]
included_files = [${tomlValue(`${literalPattern(output)}/**`)}]
`;
}

function pages({ server }: Deployment): string {
  return `// Netlify functions have no NODE_ENV, and the server reads it when it loads.
process.env.NODE_ENV ??= 'production';
const { reqHandler } = await import(${scriptSpecifier(`../../${server}`)});

export default (request) => reqHandler(request);

// Netlify's CDN sends built files. The server gets all other paths.
export const config = { path: '/*', preferStatic: true };
`;
}
