export { PUBLIC_CONFIG, providePublicConfig, type PublicConfig } from './public-config.ts';
