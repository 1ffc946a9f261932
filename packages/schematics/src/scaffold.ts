import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shapeOf } from './shape.ts';

let texts: readonly string[] | undefined;
let shapes: ReadonlySet<string> | undefined;

/** Every server.ts that `ng new --ssr` and `ng add @angular/ssr` have written since Angular 17. */
export function scaffoldTexts(): readonly string[] {
  const folder = join(__dirname, 'scaffolds');
  return (texts ??= readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8')));
}

/** Whether a server.ts is as the Angular CLI wrote it, whatever has formatted it since. */
export function isScaffold(text: string): boolean {
  shapes ??= new Set(scaffoldTexts().map(shapeOf));
  return shapes.has(shapeOf(text));
}
