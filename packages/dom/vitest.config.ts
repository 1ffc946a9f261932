import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'dom',
    include: ['test/**/*.spec.ts'],
    // No test leaves anything to others in its process: workers are kept, and load Angular's DOM once.
    isolate: false,
    // Angular's packages are compiled for a linker; without one they need the compiler first.
    setupFiles: ['@angular/compiler'],
  },
});
