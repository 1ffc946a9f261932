import type { Check } from '../check.ts';

/** Whether the program starts, and makes a server. */
export const checkStart: Check = ({ build, server }) => {
  const { server: program } = build.place;
  if (!build.hasServer) {
    return [
      {
        id: 'server-missing',
        severity: 'error',
        found: `${program} is not there.`,
        why: 'The build has no program to start: it was made without a server.',
        mend: 'npx ng add @ng-ssr/node, then ng build; or name the program with --server',
      },
    ];
  }
  if (server?.failure !== undefined) {
    return [
      {
        id: 'server-not-started',
        severity: 'error',
        found: `${program} does not start: ${server.failure}`,
        why: 'It will not start in production either, or needs something that is missing here.',
        mend: `node ${program}`,
      },
    ];
  }
  if (server !== undefined && server.description === undefined) {
    return [
      {
        id: 'server-not-found',
        severity: 'error',
        found: `${program} starts, but creates no server of ng-ssr.`,
        why: 'The checks of its options are left out; pages may be rendered for every request.',
        mend: 'npx ng add @ng-ssr/node',
      },
    ];
  }
  if (server?.isLate === true && !server.listens) {
    return [
      {
        id: 'server-not-listening',
        severity: 'error',
        found: `${program} creates its server, but does not come to listen.`,
        why: 'It waits for something that is missing here, and gets no requests as long as it does.',
        mend: `node ${program}, or a longer --timeout`,
      },
    ];
  }
  const { loadError } = server ?? {};
  if (loadError === undefined) return [];
  return [
    {
      id: 'app-not-loaded',
      severity: 'error',
      found: `The application cannot be loaded: ${loadError}`,
      why: 'Every page that is not prerendered will be a 500.',
      mend: 'ng build, and run ng-ssr doctor --render / to see the error of a page',
    },
  ];
};
