import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './engine-name.ts';
import { shapeOf } from './shape.ts';

const FOLDER = join(__dirname, 'scaffolds');

/** Minor versions that differ from the file of their major version: file, its code, their code. */
const VARIANTS = [
  // 17.3.2
  ['17.txt', "process.env['PORT']", "process.env['SSR_PORT']"],
  // 19.0 to 19.1.6
  ['19-common-engine.txt', 'export default app;', ''],
  // Nx 21 and later
  [
    '19.txt',
    'if (isMainModule(import.meta.url))',
    "if (isMainModule(import.meta.url) || process.env['pm_id'])",
  ],
] as const;

let texts: readonly string[] | undefined;
let shapes: ReadonlySet<string> | undefined;

/** Every server.ts that `ng new --ssr` and `ng add @angular/ssr` have written since Angular 17. */
export function scaffoldTexts(): readonly string[] {
  return (texts ??= [
    ...readdirSync(FOLDER).sort().map(read),
    ...VARIANTS.map(([name, code, theirs]) => read(name).replace(code, theirs)),
  ]);
}

/** Whether a server.ts is as the Angular CLI wrote it, apart from formatting. */
export function isScaffold(text: string): boolean {
  shapes ??= new Set(scaffoldTexts().map(shapeOf));
  return shapes.has(shapeOf(text));
}

/** The newest server.ts that the Angular CLI writes for an engine, of those for a version of Express. */
export function newestScaffold(engine: EngineName, isExpress4: boolean): string {
  if (engine === 'common') return read('19-common-engine.txt');
  return read(isExpress4 ? '19.txt' : '21.txt');
}

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}
