/** The values of `--engine`. */
export type EngineName = 'app' | 'common';
