/** A hosting platform, as its variables show it. */
export interface Platform {
  readonly name: string;
  /** Whether the process runs on it. */
  isHere(env: Environment): boolean;
  /** The variables whose values are hosts or origins, in the platform's order. */
  readonly hosts?: readonly string[];
  /** Hosts that are made of several variables. */
  made?(env: Environment): readonly string[];
  /** What to do where the variables do not have the public host. */
  readonly advice?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first whose variables are there counts: some platforms run on others. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: 'Vercel',
    isHere: has('VERCEL'),
    hosts: ['VERCEL_PROJECT_PRODUCTION_URL', 'VERCEL_BRANCH_URL', 'VERCEL_URL'],
  },
  {
    // Functions get SITE_ID; NETLIFY is a variable of builds, and of `netlify dev`.
    name: 'Netlify',
    isHere: (env) => has('NETLIFY')(env) || (has('SITE_ID')(env) && has('SITE_NAME')(env)),
    hosts: ['URL', 'DEPLOY_PRIME_URL', 'DEPLOY_URL'],
  },
  {
    name: 'Render',
    isHere: has('RENDER'),
    hosts: ['RENDER_EXTERNAL_HOSTNAME', 'RENDER_EXTERNAL_URL'],
  },
  {
    name: 'Fly.io',
    isHere: has('FLY_APP_NAME'),
    made: ({ FLY_APP_NAME: app }) => [`${app}.fly.dev`],
  },
  {
    name: 'Heroku',
    isHere: (env) => has('HEROKU_APP_NAME')(env) || (has('DYNO')(env) && has('PORT')(env)),
    hosts: ['HEROKU_APP_DEFAULT_DOMAIN_NAME'],
    advice: 'its hosts are in the variables after `heroku labs:enable runtime-dyno-metadata`',
  },
  {
    name: 'Railway',
    isHere: (env) => has('RAILWAY_PROJECT_ID')(env) || has('RAILWAY_PUBLIC_DOMAIN')(env),
    hosts: ['RAILWAY_PUBLIC_DOMAIN', 'RAILWAY_PRIVATE_DOMAIN'],
  },
  { name: 'Koyeb', isHere: has('KOYEB_APP_NAME'), hosts: ['KOYEB_PUBLIC_DOMAIN'] },
  {
    name: 'Azure Container Apps',
    isHere: has('CONTAINER_APP_NAME'),
    made: ({ CONTAINER_APP_NAME: app, CONTAINER_APP_ENV_DNS_SUFFIX: suffix }) =>
      suffix === undefined ? [] : [`${app}.${suffix}`],
    hosts: ['CONTAINER_APP_HOSTNAME'],
  },
  { name: 'Azure App Service', isHere: has('WEBSITE_SITE_NAME'), hosts: ['WEBSITE_HOSTNAME'] },
  {
    name: 'AWS Amplify Hosting',
    isHere: has('AWS_APP_ID'),
    // Amplify writes a branch in its domain with hyphens in place of slashes.
    made: ({ AWS_APP_ID: app, AWS_BRANCH: branch }) =>
      branch === undefined ? [] : [`${branch.replaceAll('/', '-')}.${app}.amplifyapp.com`],
  },
  {
    name: 'Google Cloud Run',
    isHere: has('K_SERVICE'),
    advice: 'its variables do not have the host: `gcloud run services describe` prints the URL',
  },
  {
    name: 'Kubernetes',
    isHere: has('KUBERNETES_SERVICE_HOST'),
    advice: 'the hosts are those of the Ingress or Gateway',
  },
];

function has(name: string): (env: Environment) => boolean {
  return (env) => (env[name] ?? '') !== '';
}

/** The platform on which the process runs; undefined on others. */
export function findPlatform(env: Environment): Platform | undefined {
  return PLATFORMS.find((platform) => platform.isHere(env));
}
