import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { StoreFile } from './store-file.ts';

definePageStoreSuite({ name: 'SQLite', createPlace: async () => new StoreFile() });
