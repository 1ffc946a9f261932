import { InjectionToken } from '@angular/core';

/** Whether this is a thread that does nothing but render, and that the server can do without. */
export const IS_RENDER_THREAD = new InjectionToken<boolean>('IS_RENDER_THREAD', {
  providedIn: 'root',
  factory: () => false,
});
