import type { Check } from '../check.ts';

/** Whether the program starts, and makes a server. */
export const checkStart: Check = ({ build, server }) => {
  const { server: program } = build.place;
  if (!build.hasServer) {
    return [
      {
        id: 'server-missing',
        severity: 'error',
        found: `${program} does not exist.`,
        why: 'The build was made without a server, so there is nothing to start.',
        fix: 'npx ng add @ng-ssr/node, then ng build; or pass the program with --server',
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
        fix: `node ${program}`,
      },
    ];
  }
  if (server !== undefined && server.description === undefined) {
    return [
      {
        id: 'server-not-found',
        severity: 'error',
        found: `${program} starts, but does not create an ng-ssr server.`,
        why: 'Its options cannot be checked, and it may render pages for every request.',
        fix: 'npx ng add @ng-ssr/node',
      },
    ];
  }
  if (server?.isLate === true && !server.listens) {
    return [
      {
        id: 'server-not-listening',
        severity: 'error',
        found: `${program} creates its server, but does not listen.`,
        why: 'It waits for something that is missing here, and gets no requests until it listens.',
        fix: `node ${program}, or a longer --timeout`,
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
      why: 'Every page that is not prerendered gets 500.',
      fix: 'ng build, and run ng-ssr doctor --render / to see the error of a page',
    },
  ];
};
