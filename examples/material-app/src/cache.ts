import { LANGUAGES } from './app/shared/languages';

/** Stored pages, for every server. */
export const cache = {
  languages: LANGUAGES,
};
