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
          : `Hosts of this machine alone are allowed: ${allowedHosts.join(', ')}.`,
      why: 'Requests for all other hosts get 400, those of the site too.',
      mend: "allowedHosts: ['shop.example', ...platformHosts()], or NG_ALLOWED_HOSTS=shop.example",
    });
  }
  if (allowedHosts.includes('*') && !areHostsAsked) {
    findings.push({
      id: 'hosts-any',
      severity: 'warning',
      found: 'Every host is allowed ("*").',
      why:
        'A client that sends a host of its own gets pages with that host in their absolute addresses, and calls of ' +
        'pages to their own origin go there.',
      mend: "allowedHosts: ['shop.example', '*.shop.example']",
    });
  }
  const { trustProxyHeaders } = description;
  const platform = proxyPlatformOf(machine.env);
  if (trustProxyHeaders === false && platform !== undefined) {
    findings.push({
      id: 'proxy-headers-untrusted',
      severity: 'warning',
      found: `This is ${platform}, whose proxy ends TLS, and trustProxyHeaders is false.`,
      why: 'Pages are rendered for http:// addresses: canonical links and redirects are wrong.',
      mend: "trustProxyHeaders: ['x-forwarded-proto', 'x-forwarded-host']",
    });
  }
  if (trustProxyHeaders === true) {
    findings.push({
      id: 'proxy-headers-all',
      severity: 'warning',
      found: 'trustProxyHeaders is true: all of Forwarded and X-Forwarded-* are believed.',
      why:
        platform === undefined
          ? 'No proxy is known here; a client that reaches the server itself chooses scheme and host.'
          : 'Headers that the proxy does not overwrite come from clients as they are.',
      mend: "trustProxyHeaders: ['x-forwarded-proto']",
    });
  }
  return findings;
};
