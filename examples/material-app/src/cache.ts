import { LANGUAGES } from './app/shared/languages';

const token = process.env['PURGE_TOKEN'];

/** Stored pages, for every server: PURGE_TOKEN opens the endpoint for purges. */
export const cache = {
  languages: LANGUAGES,
  purgeEndpoint: token ? { path: '/_cache/purge', token } : undefined,
};
