import type { CallsSettings } from '@ng-ssr/core';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import { NO_ANSWER } from '../probe/probe-message.ts';
import { shellWord } from '../shell-word.ts';

/** What pages do: their calls, policy, locales and errors. */
export const checkPages: Check = (facts) => [
  ...checkCalls(facts),
  ...checkPolicy(facts),
  ...checkLocales(facts),
  ...checkSourceMaps(facts),
];

const checkCalls: Check = ({ server }) => {
  const { description } = server ?? {};
  if (description === undefined) return [];
  const { features, render } = description;
  const calls = features['calls'] as CallsSettings | undefined;
  const unlimited = (calls?.rules ?? []).filter(({ timeoutMs }) => timeoutMs === undefined);
  if (calls !== undefined && unlimited.length === 0) return [];
  const named = unlimited.map(({ pattern }) => JSON.stringify(pattern)).join(', ');
  const finding: Finding = {
    id: 'calls-without-timeout',
    severity: calls === undefined ? 'note' : 'warning',
    found:
      calls === undefined
        ? 'withCalls() is missing, so API calls of pages have no timeout.'
        : `API calls of the rules ${named} have no timeout.`,
    why: `If an API hangs, its render takes ${render.timeoutMs} ms, and other renders wait.`,
    // Only the most specific rule applies: another one for all calls would change nothing.
    fix:
      calls === undefined
        ? "withCalls({ '**': { timeoutMs: 3000 } })"
        : `timeoutMs: 3000 in the rules ${named} of withCalls()`,
  };
  return [finding];
};

const checkPolicy: Check = ({ build, server }) => {
  if (build.hasPolicyInDocument || 'nonce' in (server?.description?.features ?? {})) return [];
  const answers = [server?.file, server?.page, server?.rendered].filter(
    (answer) => answer !== undefined,
  );
  // Without an answer of the server it is not known what its middleware adds.
  if (answers.every(({ status }) => status === NO_ANSWER)) return [];
  if (answers.some(({ headers }) => headers['content-security-policy'] !== undefined)) return [];
  const finding: Finding = {
    id: 'csp-missing',
    severity: 'note',
    found: 'Neither documents nor responses have a Content-Security-Policy.',
    why: 'A script that an attacker injects into a page runs with the rights of the visitor.',
    fix: '"security": { "autoCsp": true } in the build options of angular.json, or withNonce()',
  };
  return [finding];
};

const checkLocales: Check = ({ server }) => {
  const notices = server?.description?.notices ?? [];
  return notices
    .filter(({ message }) => message.startsWith('withLocales() has no effect'))
    .map(({ message }) => ({
      id: 'locales-unused',
      severity: 'warning',
      found: message.split('. ', 1)[0]!.concat('.'),
      why: 'The build has one locale, which all requests get.',
      fix: '"localize": true in the build options of angular.json',
    }));
};

const checkSourceMaps: Check = ({ build }) => {
  const { browserFolder } = build.place;
  if (build.browserMaps.length > 0) {
    const finding: Finding = {
      id: 'source-maps-public',
      severity: 'warning',
      found: `The browser folder has source maps: ${build.browserMaps.length}.`,
      why: "Anyone can read the application's source, with its comments.",
      fix: `find ${shellWord(browserFolder)} -name '*.map' -delete, then npx ng-ssr pack ${shellWord(build.place.outputPath)}`,
    };
    return [finding];
  }
  if (!build.hasServer || build.hasServerMaps) return [];
  const finding: Finding = {
    id: 'source-maps-missing',
    severity: 'note',
    found: 'The server bundle has no source maps.',
    why: 'Stacks of errors name server.mjs:1:48213 instead of app.ts:12:5.',
    fix: '"sourceMap": { "scripts": true, "hidden": true } in the build options of angular.json',
  };
  return [finding];
};
