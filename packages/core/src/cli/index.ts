/** The command `ng-ssr`, which every adapter has as its bin. */
export { run } from './run.ts';
export { makeManifest, type ManifestOptions } from '../files/manifest/make-manifest.ts';
