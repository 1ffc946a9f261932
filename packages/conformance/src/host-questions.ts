/** What the profile `asked hosts` was asked for, by all of its servers in this process. */
export const hostQuestions: string[] = [];

/** Hosts for which the function has failed once. */
const failed = new Set<string>();

/** `allowedHosts` of the profile: tenants are allowed, and others not; some fail at first. */
export async function askForHost(host: string): Promise<boolean> {
  hostQuestions.push(host);
  await Promise.resolve();
  if (host.endsWith('.unsure.example') && !failed.has(host)) {
    failed.add(host);
    throw new Error('the tenants are not known');
  }
  return host.endsWith('.asked.example') || host.endsWith('.unsure.example');
}
