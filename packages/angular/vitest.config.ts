import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'angular',
    include: ['test/**/*.spec.ts'],
    // Angular's packages are compiled for a linker; without one they need the compiler first.
    setupFiles: ['@angular/compiler'],
  },
});
