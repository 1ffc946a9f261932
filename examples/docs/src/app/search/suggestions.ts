/** What the search offers before words are typed, and where nothing is found. */
export const SUGGESTIONS = [
  { id: '/start', section: 'Start', title: 'Create a server', heading: 'Get started' },
  { id: '/caching', section: 'Guides', title: 'ISR, revalidate, purge', heading: 'Caching pages' },
  {
    id: '/page-errors',
    section: 'Guides',
    title: '404, 500, window is not defined',
    heading: 'Page errors',
  },
  {
    id: '/deploy',
    section: 'Deploying',
    title: 'Docker, Kubernetes, PM2 and others',
    heading: 'Deploy',
  },
  { id: '/options', section: 'Reference', title: 'Names, types and defaults', heading: 'Options' },
  { id: '/errors', section: 'Reference', title: 'Codes and what to do', heading: 'Errors' },
] as const;
