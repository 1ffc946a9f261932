/** Variables that hosting platforms set whose proxy ends TLS before the server. */
const PLATFORMS: readonly (readonly [variable: string, name: string])[] = [
  ['FLY_APP_NAME', 'Fly.io'],
  ['DYNO', 'Heroku'],
  ['RENDER', 'Render'],
  ['RAILWAY_PROJECT_ID', 'Railway'],
  ['KOYEB_APP_NAME', 'Koyeb'],
  ['CONTAINER_APP_NAME', 'Azure Container Apps'],
  ['WEBSITE_SITE_NAME', 'Azure App Service'],
  ['K_SERVICE', 'Google Cloud Run'],
  ['KUBERNETES_SERVICE_HOST', 'Kubernetes'],
];

/** The platform whose proxy is in front of this process, as its variables say. */
export function proxyPlatformOf(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return PLATFORMS.find(([variable]) => (env[variable] ?? '') !== '')?.[1];
}
