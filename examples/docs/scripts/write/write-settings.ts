import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generated } from '../repository.ts';

/** What the application is built with: where it is served. */
export function writeSettings(origin: string): void {
  writeFileSync(join(generated, 'origin.ts'), `export const origin = ${JSON.stringify(origin)};\n`);
}
