/**
 * What the Angular CLI defines when it bundles for production; programs that import Angular's
 * packages unbundled import this first.
 */
(globalThis as { ngDevMode?: boolean }).ngDevMode = false;
