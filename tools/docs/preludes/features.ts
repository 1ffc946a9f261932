import type { Feature } from '@ng-ssr/core';

/** The feature that the guide for authors begins with. */
export declare function withMaintenancePage(options: { readonly isOn: () => boolean }): Feature;
