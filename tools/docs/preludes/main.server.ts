import type { ApplicationRef } from '@angular/core';
import type { BootstrapContext } from '@angular/platform-browser';

/** The application's own `src/main.server.ts`. */
declare const bootstrap: (context: BootstrapContext) => Promise<ApplicationRef>;
export { bootstrap };
export default bootstrap;
