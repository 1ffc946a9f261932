import type { PublicConfig } from '@ng-ssr/angular';

declare module '@ng-ssr/angular' {
  interface PublicConfig {
    /** Where customers write to. */
    contact: string;
  }
}

/** In pages that no server with a configuration sends: while they are prerendered, and without SHOP_CONTACT. */
export const defaultConfig: PublicConfig = { contact: 'studio@ember.example' };
