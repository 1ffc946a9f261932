import { afterEach, expect, test, vi } from 'vitest';
import { platformHosts, type SsrError, type SsrOptions } from '@ng-ssr/core';
import { PLATFORMS } from '../../src/host/platforms.ts';
import { storedServer } from '../pages/stored-server.ts';

afterEach(() => vi.unstubAllEnvs());

type Variables = Readonly<Record<string, string>>;

/** Of each platform what its documentation shows. */
const EXAMPLES: readonly (readonly [platform: string, variables: Variables, hosts: string[]])[] = [
  [
    'Vercel',
    {
      VERCEL: '1',
      VERCEL_URL: 'my-site-7q03y4pi5.vercel.app',
      VERCEL_BRANCH_URL: 'my-site-git-improve-about-page.vercel.app',
      VERCEL_PROJECT_PRODUCTION_URL: 'my-site.com',
    },
    ['my-site.com', 'my-site-git-improve-about-page.vercel.app', 'my-site-7q03y4pi5.vercel.app'],
  ],
  [
    'Netlify',
    {
      SITE_ID: '4a3b',
      SITE_NAME: 'petsof',
      URL: 'https://www.petsofnetlify.com',
      DEPLOY_PRIME_URL: 'https://feature-branch--petsof.netlify.app',
      DEPLOY_URL: 'https://5b243e66--petsof.netlify.app/',
    },
    ['www.petsofnetlify.com', 'feature-branch--petsof.netlify.app', '5b243e66--petsof.netlify.app'],
  ],
  [
    'Render',
    {
      RENDER: 'true',
      RENDER_EXTERNAL_HOSTNAME: 'myapp.onrender.com',
      RENDER_EXTERNAL_URL: 'https://myapp.onrender.com',
    },
    ['myapp.onrender.com'],
  ],
  ['Fly.io', { FLY_APP_NAME: 'my-app' }, ['my-app.fly.dev']],
  [
    'Heroku',
    { DYNO: 'web.1', PORT: '1', HEROKU_APP_DEFAULT_DOMAIN_NAME: 'app-1234567890ab.herokuapp.com' },
    ['app-1234567890ab.herokuapp.com'],
  ],
  [
    'Railway',
    {
      RAILWAY_PUBLIC_DOMAIN: 'example.up.railway.app',
      RAILWAY_PRIVATE_DOMAIN: 'web.railway.internal',
    },
    ['example.up.railway.app', 'web.railway.internal'],
  ],
  [
    'Koyeb',
    { KOYEB_APP_NAME: 'app', KOYEB_PUBLIC_DOMAIN: 'app-org.koyeb.app' },
    ['app-org.koyeb.app'],
  ],
  [
    'Azure Container Apps',
    {
      CONTAINER_APP_NAME: 'my-containerapp',
      CONTAINER_APP_HOSTNAME:
        'my-containerapp--20mh1s9.happyhill-70162bb9.eastus.azurecontainerapps.io',
      CONTAINER_APP_ENV_DNS_SUFFIX: 'happyhill-70162bb9.eastus.azurecontainerapps.io',
    },
    [
      'my-containerapp.happyhill-70162bb9.eastus.azurecontainerapps.io',
      'my-containerapp--20mh1s9.happyhill-70162bb9.eastus.azurecontainerapps.io',
    ],
  ],
  [
    'Azure App Service',
    { WEBSITE_SITE_NAME: 'shop', WEBSITE_HOSTNAME: 'shop.azurewebsites.net' },
    ['shop.azurewebsites.net'],
  ],
  [
    'AWS Amplify Hosting',
    { AWS_APP_ID: 'd1234567890', AWS_BRANCH: 'feature/cart' },
    ['feature-cart.d1234567890.amplifyapp.com'],
  ],
  ['Google Cloud Run', { K_SERVICE: 'hello-world', PORT: '8080' }, []],
  ['Kubernetes', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, []],
];

function setVariables(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

test('every platform has an example', () => {
  expect(EXAMPLES.map(([name]) => name)).toEqual(PLATFORMS.map(({ name }) => name));
});

test.each(EXAMPLES)('%s: the hosts of its variables', (_platform, variables, hosts) => {
  setVariables(variables);
  const errors: SsrError[] = [];
  expect(platformHosts((error) => errors.push(error))).toEqual(hosts);
  expect(errors).toEqual([]);
});

test('elsewhere there are none', () => {
  vi.stubEnv('URL', 'https://evil.example');
  vi.stubEnv('PORT', '8080');
  vi.stubEnv('AWS_BRANCH', 'main');
  expect(platformHosts()).toEqual([]);
});

test('values that are no hosts are left out, with one notice', () => {
  const wrong = [
    '*',
    '*.vercel.app',
    'a b',
    'https://user@a.example',
    'a.example/path',
    'ftp://a.example',
  ];
  for (const value of wrong) {
    setVariables({
      VERCEL: '1',
      VERCEL_URL: value,
      VERCEL_BRANCH_URL: '  ',
      VERCEL_PROJECT_PRODUCTION_URL: 'HTTPS://Shop.example:443/',
    });
    const errors: SsrError[] = [];
    expect(
      platformHosts((error) => errors.push(error)),
      value,
    ).toEqual(['shop.example']);
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      [
        'NG_SSR_OPTION_INVALID',
        `platformHosts() on Vercel: no host is in VERCEL_URL=${JSON.stringify(value)}; allowed: a host name, ` +
          'with or without scheme and port',
      ],
    ]);
  }
});

/** What a server says at its start. */
function startWith(options: Partial<SsrOptions>): string[] {
  const { errors } = storedServer(() => null, options);
  return errors.filter(({ code }) => code === 'NG_SSR_HOSTS_MISSING').map(({ message }) => message);
}

test('a server without any allowed host says so when it starts', () => {
  expect(startWith({ allowedHosts: [] })).toEqual([
    'No host is allowed: requests for other hosts get 400. Set allowedHosts, NG_ALLOWED_HOSTS=shop.example, ' +
      'or security.allowedHosts in angular.json.',
  ]);
  expect(startWith({ allowedHosts: ['localhost'] })).toEqual([]);
  expect(startWith({ allowedHosts: () => false })).toEqual([]);
  const engine = Object.assign(() => null, { allowedHosts: () => ['built.example'] });
  expect(startWith({ allowedHosts: [], engine })).toEqual([]);
});

test.each([
  [['localhost', '127.0.0.1'], 'Only localhost and 127.0.0.1 are allowed: '],
  [
    ['localhost:4000', '[::1]', 'shop.localhost'],
    'Only localhost:4000 and [::1] and shop.localhost are',
  ],
  [
    ['127.0.0.1'],
    'Only 127.0.0.1 is allowed: requests for other hosts get 400. Set allowedHosts, NG_',
  ],
])('in production %j alone are reported', (allowedHosts, message) => {
  expect(startWith({ allowedHosts })).toEqual([]);
  vi.stubEnv('NODE_ENV', 'production');
  expect(startWith({ allowedHosts })).toEqual([expect.stringContaining(message)]);
  expect(startWith({ allowedHosts: [...allowedHosts, 'shop.example'] })).toEqual([]);
  const engine = Object.assign(() => null, { allowedHosts: () => ['localhost'] });
  expect(startWith({ allowedHosts: [], engine })).toEqual([
    expect.stringContaining('Only localhost is'),
  ]);
});

test('on a platform local hosts alone are reported, with what helps there', () => {
  setVariables({ RENDER: 'true' });
  expect(startWith({ allowedHosts: ['localhost', '127.0.0.1'] })).toEqual([
    'Only localhost and 127.0.0.1 are allowed: requests for other hosts get 400. Set allowedHosts, ' +
      'NG_ALLOWED_HOSTS=shop.example, or security.allowedHosts in angular.json. This is Render. To allow its ' +
      "own hosts: allowedHosts: ['shop.example', ...platformHosts()].",
  ]);
  expect(startWith({ allowedHosts: ['localhost', 'shop.example'] })).toEqual([]);
  vi.unstubAllEnvs();
  setVariables({ K_SERVICE: 'hello' });
  expect(startWith({ allowedHosts: [] })[0]).toContain(
    'This is Google Cloud Run; its variables do not have the host: `gcloud run services describe` prints the URL.',
  );
});
