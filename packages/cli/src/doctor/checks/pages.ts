import type { CallsSettings } from '@ng-ssr/core';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
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
        ? 'There is no withCalls(): what pages fetch has no timeout of its own.'
        : `Calls by the rules ${named} have no timeout.`,
    why: `An API that hangs keeps its render for ${render.timeoutMs} ms, and others wait for the place.`,
    mend: "withCalls({ '**': { timeoutMs: 3000 } })",
  };
  return [finding];
};

const checkPolicy: Check = ({ build, server }) => {
  if (build.hasPolicyInDocument || 'nonce' in (server?.description?.features ?? {})) return [];
  const answers = [server?.file, server?.page, server?.rendered].filter(
    (answer) => answer !== undefined,
  );
  // Without an answer of the server it is not known what its middleware adds.
  if (answers.length === 0) return [];
  if (answers.some(({ headers }) => headers['content-security-policy'] !== undefined)) return [];
  const finding: Finding = {
    id: 'csp-missing',
    severity: 'note',
    found: 'Neither the documents nor the answers have a Content-Security-Policy.',
    why: 'A script that an attacker gets into a page runs with the rights of the visitor.',
    mend: '"security": { "autoCsp": true } in the build options of angular.json, or withNonce()',
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
      why: 'All requests get the only locale that there is.',
      mend: '"localize": true in the build options of angular.json',
    }));
};

const checkSourceMaps: Check = ({ build }) => {
  const { browserFolder } = build.place;
  if (build.browserMaps.length > 0) {
    const finding: Finding = {
      id: 'source-maps-public',
      severity: 'warning',
      found: `${build.browserMaps.length} source maps are among the files for browsers.`,
      why: 'Everybody can read the source of the application, with its comments.',
      mend: `find ${shellWord(browserFolder)} -name '*.map' -delete, then npx ng-ssr pack ${shellWord(build.place.outputPath)}`,
    };
    return [finding];
  }
  if (!build.hasServer || build.hasServerMaps) return [];
  const finding: Finding = {
    id: 'source-maps-missing',
    severity: 'note',
    found: 'The server bundle has no source maps.',
    why: 'Stacks of errors name server.mjs:1:48213 in place of app.ts:12:5.',
    mend: '"sourceMap": { "scripts": true, "hidden": true } in the build options of angular.json',
  };
  return [finding];
};
