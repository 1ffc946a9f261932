export { tieredPageStore } from './tiered-page-store.ts';
export type { TieredPageStoreOptions } from './options.ts';
export type { BodyStore } from './body-store.ts';
export { folderBodies } from './folder/folder-bodies.ts';
export type { FolderBodiesOptions } from './folder/folder-options.ts';
export { s3Bodies } from './s3/s3-bodies.ts';
export type { S3BodiesOptions, S3Credentials } from './s3/s3-options.ts';
