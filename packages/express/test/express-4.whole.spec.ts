import { vi } from 'vitest';

/** Every spec once more, as in an installation with Express 4. */
vi.mock('express', () => vi.importActual('express4'));

await import('./conformance.spec.ts');
await import('./middleware.spec.ts');
await import('./express.spec.ts');
await import('./faults.spec.ts');
await import('./stored-pages.spec.ts');
await import('./http2-app.spec.ts');
await import('./hits-first.spec.ts');
