/** The purge endpoint of the profile `stored pages`, and its token. */
export const PURGE_ENDPOINT = { path: '/_cache/purge', token: 'a-token-for-purges-in-tests' };
