import type { Routes } from '@angular/router';

/** The application's own `src/app/app.routes.ts`. */
export const routes: Routes = [];
