import { isLoopback } from '@ng-ssr/core/pack';
import type { Check } from '../check.ts';
import { proxyPlatformOf } from '../facts/hosting-platform.ts';
import type { Finding } from '../finding.ts';

/** Which hosts are answered, and which headers of proxies are believed. */
export const checkHosts: Check = ({ server, machine }) => {
  const { description } = server ?? {};
  if (description === undefined) return [];
  const findings: Finding[] = [];
  const { allowedHosts, areHostsAsked, notices } = description;
  // The server reports it on hosting platforms and in production.
  const isNoticed = notices.some(({ code }) => code === 'NG_SSR_HOSTS_MISSING');
  if (isNoticed || (!areHostsAsked && allowedHosts.every(isLoopback))) {
    findings.push({
      id: 'hosts-missing',
      severity: isNoticed ? 'error' : 'warning',
      found:
        allowedHosts.length === 0
          ? 'No host is allowed.'
          : `Only hosts of this machine are allowed: ${allowedHosts.join(', ')}.`,
      why: 'Requests for all other hosts get 400, including those of the site.',
      fix: "allowedHosts: ['shop.example', ...platformHosts()], or NG_ALLOWED_HOSTS=shop.example",
    });
  }
  if (allowedHosts.includes('*') && !areHostsAsked) {
    findings.push({
      id: 'hosts-any',
      severity: 'warning',
      found: 'Every host is allowed ("*").',
      why: 'A client chooses the host: absolute URLs in pages contain it, and calls of pages to their own origin go to it.',
      fix: "allowedHosts: ['shop.example', '*.shop.example']",
    });
  }
  const { trustProxyHeaders } = description;
  const platform = proxyPlatformOf(machine.env);
  if (trustProxyHeaders === false && platform !== undefined) {
    findings.push({
      id: 'proxy-headers-untrusted',
      severity: 'warning',
      found: `This is ${platform}, whose proxy terminates TLS, and trustProxyHeaders is false.`,
      why: 'Pages are rendered with http:// URLs, so canonical links and redirects are wrong.',
      fix: "trustProxyHeaders: ['x-forwarded-proto', 'x-forwarded-host']",
    });
  }
  if (trustProxyHeaders === true) {
    findings.push({
      id: 'proxy-headers-all',
      severity: 'warning',
      found:
        'trustProxyHeaders is true: the server trusts Forwarded and all X-Forwarded-* headers.',
      why:
        platform === undefined
          ? 'No proxy was detected. A client that reaches the server directly chooses scheme and host.'
          : 'Clients can set headers that the proxy does not overwrite.',
      fix: "trustProxyHeaders: ['x-forwarded-proto']",
    });
  }
  return findings;
};
