import type { FilesOptions } from '@ng-ssr/core';
import { FIXTURE_HOST } from './client.ts';
import { FIXTURE_MAX_FILE_BYTES } from './fixture-content.ts';
import type { FixtureFeature } from './fixture-features.ts';
import { askForHost } from './host-questions.ts';
import type { ConformanceServerOptions } from './server-contract.ts';
import { LANGUAGES, ROUTE_RULES } from './stored-stub-pages.ts';

/** A set of options under which a case's server runs. */
export type ProfileName =
  | 'standard'
  | 'any host'
  | 'asked hosts'
  | 'error details'
  | 'error pages'
  | 'trusted proxy'
  | 'trusted proxy host'
  | 'gzip only'
  | 'no encodings'
  | 'pages as rendered'
  | 'little memory'
  | 'other builds'
  | 'stored pages'
  | 'render rules'
  | 'slots'
  | 'slot endpoint'
  | 'late calls'
  | 'inspector'
  | 'dictionaries'
  | 'calls'
  | 'public config'
  | 'one render at a time';

type ProfileOptions = Omit<
  ConformanceServerOptions,
  'engine' | 'files' | 'features' | 'onError'
> & {
  readonly files: Omit<FilesOptions, 'folder'>;
  readonly features?: readonly FixtureFeature[];
};

const FILES = { maxFileBytes: FIXTURE_MAX_FILE_BYTES };

const STANDARD: ProfileOptions = {
  allowedHosts: [
    ...[FIXTURE_HOST, '127.0.0.1', '[::1]', '*.tenants.example'],
    ...['ports.example:8443', '*.ports.example:8080', '[::2]:4000'],
  ],
  files: FILES,
  errorDetails: false,
};

/** For cases that do not depend on encodings: the server is ready as soon as its files are read. */
const UNENCODED: ProfileOptions = { ...STANDARD, files: { ...FILES, encodings: [] } };

/** The options of every profile. */
export const PROFILES: Readonly<Record<ProfileName, ProfileOptions>> = {
  standard: STANDARD,
  'any host': { ...UNENCODED, allowedHosts: ['*'] },
  'asked hosts': { ...UNENCODED, allowedHosts: askForHost },
  'error details': { ...UNENCODED, errorDetails: true },
  'error pages': {
    ...STANDARD,
    // Of the built files little more than these pages, so that the server is ready soon.
    files: { ...FILES, maxFileBytes: 4000 },
    errorPages: { 404: '/errors/not-found.html', 500: '/errors/failure.html' },
  },
  'trusted proxy': { ...UNENCODED, trustProxyHeaders: true },
  'trusted proxy host': { ...UNENCODED, trustProxyHeaders: ['x-forwarded-host'] },
  'gzip only': { ...STANDARD, files: { ...FILES, encodings: ['gzip'] } },
  'no encodings': UNENCODED,
  // Few built files here, too.
  'pages as rendered': {
    ...STANDARD,
    files: { ...FILES, maxFileBytes: 1000 },
    render: { encodings: [] },
  },
  'little memory': { ...STANDARD, files: { ...FILES, maxBytes: 100_000 } },
  // With the earlier build of the site.
  'other builds': { ...UNENCODED, features: ['old-builds'] },
  'stored pages': {
    ...STANDARD,
    // Few built files, so that the server is ready soon.
    files: { maxFileBytes: 1000 },
    cache: { languages: LANGUAGES },
    features: ['purge-endpoint'],
    routeRules: ROUTE_RULES,
  },
  'render rules': {
    ...UNENCODED,
    routeRules: {
      '/stored/page/never/**': { ssr: false },
      '/stored/page/for-bots/**': { ssr: 'bots' },
    },
    features: ['speculation-rules'],
  },
  // Few built files, so that the server is ready soon.
  slots: { ...STANDARD, files: { maxFileBytes: 15_000 }, features: ['slots'] },
  'slot endpoint': {
    ...UNENCODED,
    files: { maxFileBytes: 15_000, encodings: [] },
    features: ['slot-endpoint'],
  },
  'late calls': { ...UNENCODED, features: ['late-calls'] },
  inspector: { ...UNENCODED, features: ['inspector'] },
  dictionaries: {
    ...STANDARD,
    // Pages and scripts of the cases alone, so that the server is ready soon.
    files: { maxFileBytes: 15_000 },
    features: ['purge-endpoint', 'dictionaries'],
  },
  calls: { ...UNENCODED, files: { maxFileBytes: 1000, encodings: [] }, features: ['calls'] },
  'public config': {
    ...STANDARD,
    files: { maxFileBytes: 15_000, encodings: ['gzip'] },
    errorPages: { 404: '/errors/not-found.html' },
    features: ['public-config'],
  },
  'one render at a time': { ...UNENCODED, render: { concurrency: 1 } },
};
