import { sqlitePageStore } from '@ng-ssr/sqlite';
import {
  type BodyStore,
  folderBodies,
  type FolderBodiesOptions,
  s3Bodies,
  type S3BodiesOptions,
  tieredPageStore,
  type TieredPageStoreOptions,
} from '@ng-ssr/tiered-store';
import { afterEach, expect, test, vi } from 'vitest';
import { LEAST_BYTES } from './place.ts';

const index = sqlitePageStore({ file: 'pages.db', maxBytes: 64 * 1024 * 1024 });
const FOLDER = { folder: 'bodies', maxBytes: LEAST_BYTES };
const BODIES = { name: 'own', timeoutMs: 1, get: async () => {}, put: async () => {} };
const TIERED = { index, bodies: [folderBodies(FOLDER)] };
const S3 = {
  endpoint: 'https://s3.example',
  bucket: 'pages',
  accessKeyId: 'id',
  secretAccessKey: 'secret-word',
};

afterEach(() => vi.unstubAllEnvs());

const wrong: readonly [() => unknown, string][] = [
  [
    tiered(undefined),
    'tieredPageStore() is missing; allowed: an object of options with index and bodies',
  ],
  [tiered({ bodies: TIERED.bodies }), 'tieredPageStore.index is missing; allowed: a page store'],
  [tiered({ ...TIERED, index: {} }), 'tieredPageStore.index is {} (object); allowed: a page store'],
  [tiered({ index }), 'tieredPageStore.bodies is missing; allowed: a list of stores of bodies'],
  [tiered({ index, bodies: [] }), 'tieredPageStore.bodies is [] (list)'],
  [tiered({ index, bodies: TIERED.bodies[0] }), 'tieredPageStore.bodies is '],
  [tiered({ index, bodies: [TIERED.bodies[0], index] }), 'tieredPageStore.bodies[1] is '],
  [
    tiered({ index, bodies: [{ ...BODIES, timeoutMs: Number.NaN }] }),
    'tieredPageStore.bodies[0] is ',
  ],
  [
    tiered({ index, bodies: [{ ...BODIES, maxBodyBytes: 'all' }] }),
    'tieredPageStore.bodies[0] is ',
  ],
  [tiered({ ...TIERED, inlineBytes: -1 }), 'tieredPageStore.inlineBytes is -1'],
  [tiered({ ...TIERED, maxEntryBytes: 0 }), 'tieredPageStore.maxEntryBytes is 0'],
  [tiered({ ...TIERED, maxPendingBytes: '1MB' }), 'tieredPageStore.maxPendingBytes is "1MB"'],
  [tiered({ ...TIERED, writeTimeoutMs: 0 }), 'tieredPageStore.writeTimeoutMs is 0'],
  [
    folder(undefined),
    'folderBodies() is missing; allowed: an object of options with folder and maxBytes',
  ],
  [
    folder({ maxBytes: LEAST_BYTES }),
    'folderBodies.folder is missing; allowed: the path of a folder',
  ],
  [folder({ ...FOLDER, folder: 'a\0b' }), 'folderBodies.folder is '],
  [folder({ folder: 'bodies' }), 'folderBodies.maxBytes is missing'],
  [folder({ ...FOLDER, maxBytes: 1_000_000 }), 'a whole number of bytes, at least 64 MiB'],
  [folder({ ...FOLDER, timeoutMs: 0 }), 'folderBodies.timeoutMs is 0'],
  [s3('https://id:secret-word@s3.example'), 's3Bodies() is "…" (string)'],
  [s3({ ...S3, endpoint: undefined }), 's3Bodies.endpoint is missing; allowed: a URL'],
  [s3({ ...S3, endpoint: 's3.example' }), 's3Bodies.endpoint is "s3.example"'],
  [s3({ ...S3, endpoint: 'https://id:secret-word@s3.example' }), 's3Bodies.endpoint is "…"'],
  [s3({ ...S3, endpoint: 'https://s3.example?key=secret-word' }), 's3Bodies.endpoint is "…"'],
  [s3({ ...S3, endpoint: 'https://s3.example?' }), 's3Bodies.endpoint is "…"'],
  [s3({ ...S3, endpoint: 'https://s3.example#' }), 's3Bodies.endpoint is "…"'],
  [s3({ ...S3, bucket: 'a/b' }), 's3Bodies.bucket is "a/b"'],
  [s3({ ...S3, region: '' }), 's3Bodies.region is ""'],
  [s3({ ...S3, prefix: '/pages' }), 's3Bodies.prefix is "/pages"'],
  [s3({ ...S3, prefix: '../other/' }), 's3Bodies.prefix is "../other/"'],
  [s3({ ...S3, prefix: 'pages/./' }), 's3Bodies.prefix is "pages/./"'],
  [s3({ ...S3, accessKeyId: 'secret-word\n' }), 's3Bodies.accessKeyId is "…"'],
  [s3({ ...S3, secretAccessKey: 'secret-word ' }), 's3Bodies.secretAccessKey is "…"'],
  [s3({ ...S3, sessionToken: 'secret-word ' }), 's3Bodies.sessionToken is "…"'],
  [
    s3({ ...S3, secretAccessKey: undefined }),
    's3Bodies.secretAccessKey is missing; allowed: a key of',
  ],
  [
    s3({ ...S3, credentials: async () => S3 }),
    's3Bodies.accessKeyId is "…" (string); allowed: nothing',
  ],
  [s3({ ...S3, credentials: 'secret-word' }), 's3Bodies.credentials is '],
  [s3({ ...S3, timeoutMs: 1.5 }), 's3Bodies.timeoutMs is 1.5'],
];

test.each(wrong)('%#: a wrong value is refused by name', (create, message) => {
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
  expect(create).not.toThrow('secret-word');
});

test('an unknown option is refused, with the one that was meant', () => {
  const unknown = { code: 'NG_SSR_OPTION_UNKNOWN' };
  expect(tiered({ ...TIERED, indexx: index })).toThrow(expect.objectContaining(unknown));
  expect(folder({ ...FOLDER, maxByte: 1 })).toThrow('Did you mean folderBodies.maxBytes?');
  expect(s3({ ...S3, accessKey: 'secret-word' })).toThrow('no option s3Bodies.accessKey');
  expect(s3({ ...S3, accessKey: 'secret-word' })).not.toThrow('secret-word');
});

test('keys come from the environment, all together', () => {
  const { accessKeyId: _id, secretAccessKey: _secret, ...place } = S3;
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-word');
  expect(s3(place)).toThrow('s3Bodies.accessKeyId is missing');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  // A token belongs to its keys.
  expect(s3({ ...place, sessionToken: 'token' })).toThrow('s3Bodies.accessKeyId is missing');
  for (const endpoint of ['https://s3.example', 'https://s3.example//', ' HTTPS://S3.example']) {
    const { name } = s3({ ...place, endpoint })() as BodyStore;
    expect(name).toBe('in the bucket https://s3.example/pages');
  }
});

function tiered(options: unknown): () => unknown {
  return () => tieredPageStore(options as TieredPageStoreOptions);
}

function folder(options: unknown): () => unknown {
  return () => folderBodies(options as FolderBodiesOptions);
}

function s3(options: unknown): () => unknown {
  return () => s3Bodies(options as S3BodiesOptions);
}
