/**
 * The first and the last version of each minor of Angular on which `npm run matrix` compares pages with Angular's own.
 * The very first is the oldest that is supported: earlier app engines render a copy of the request, so that a render
 * cannot be found by its request.
 *
 * The one list: tools/test/angular-versions.spec.ts compares peer ranges, schematics and documentation with it.
 */
export const TESTED_ANGULARS: readonly (readonly [first: string, last: string])[] = [
  ['21.2.9', '21.2.24'],
  ['22.0.0', '22.0.8'],
  ['22.1.0', '22.1.8'],
  ['22.2.0', '22.2.0'],
];
