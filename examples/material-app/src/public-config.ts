import type { PublicConfig } from '@ng-ssr/angular';
import './app/shared/public-config';

const contact = process.env['SHOP_CONTACT'];

/** What all pages of this server know, for every server; SHOP_CONTACT is the address in their footer. */
export const publicConfig: PublicConfig | undefined = contact ? { contact } : undefined;
