import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';

/** RFC 4648 section 5: base64url of 16 random bytes has 22 characters, of which about 18 differ. */
const LEAST_CHARACTERS = 22;
const LEAST_VARIETY = 10;

/** Tokens of endpoints, and secrets in what everybody can read. */
export const checkSecrets: Check = ({ server }) => {
  const { description } = server ?? {};
  if (description === undefined) return [];
  const findings = description.endpoints.flatMap((endpoint): Finding[] => {
    const { feature, path, tokenCharacters, tokenVariety, tokenFile } = endpoint;
    const found: Finding[] = [];
    if (tokenFile !== undefined) {
      found.push({
        id: 'token-in-source',
        severity: 'error',
        found: `The token of ${feature} is written in ${tokenFile}.`,
        why: `Anyone who has the source or the image can use it to open ${path}.`,
        fix: `${feature}({ path: '${path}', token: process.env['NG_SSR_TOKEN'] })`,
      });
    }
    if (tokenCharacters < LEAST_CHARACTERS || tokenVariety < LEAST_VARIETY) {
      found.push({
        id: 'token-weak',
        severity: 'error',
        found: `The token of ${feature} has ${tokenCharacters} characters, ${tokenVariety} of them different.`,
        why: `Every client can reach ${path} and try to guess it.`,
        fix: `node -p "require('node:crypto').randomBytes(24).toString('base64url')"`,
      });
    }
    return found;
  });
  const suspects = description.notices.find(
    ({ code, message }) =>
      code === 'NG_SSR_PUBLIC_CONFIG_NOTICE' && message.includes('looks like a secret'),
  );
  if (suspects !== undefined) {
    findings.push({
      id: 'public-config-secret',
      severity: 'error',
      found: suspects.message.split('. ', 1)[0]!.concat('.'),
      why: 'Every visitor can read the configuration in the source of a page.',
      fix: "withPublicConfig({ apiUrl: process.env['API_URL'] })",
    });
  }
  return findings;
};
