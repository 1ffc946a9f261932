import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A name with a hash, as the CLI writes it. */
const HASHED = /^(main|chunk|styles)-([\w-]{8})\.(js|css)$/;
const TEXT = /\.(js|css|html)$/;
/** Files of no concern here, and large. */
const LEFT_OUT = /price-history\.csv$|^large\//;

/**
 * Many builds of one: every name with a hash has another one in each, wherever it is written, and each main script sets
 * `buildMarker`. A build by the CLI takes a minute.
 */
export class DerivedBuilds {
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #names: readonly string[];

  /** @param browserFolder - Of the build that they are derived from. */
  constructor(browserFolder: string) {
    const files = new Map<string, Buffer>();
    for (const entry of readdirSync(browserFolder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const path = relative(browserFolder, file).replaceAll('\\', '/');
      if (!LEFT_OUT.test(path)) files.set(path, readFileSync(file));
    }
    this.#files = files;
    this.#names = [...files.keys()].filter((path) => HASHED.test(path));
  }

  /** Writes build `n`. */
  write(n: number, browserFolder: string): void {
    const renamed = new Map(this.#names.map((name) => [name, rename(name, n)]));
    const names = new RegExp(this.#names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
    for (const [path, content] of this.#files) {
      const file = join(browserFolder, renamed.get(path) ?? path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, TEXT.test(path) ? rewrite(path, content) : content);
    }
    function rewrite(path: string, content: Buffer): string {
      const text = content.toString().replace(names, (name) => renamed.get(name)!);
      return path.startsWith('main-') ? `globalThis.buildMarker=${n};${text}` : text;
    }
  }
}

function rename(name: string, n: number): string {
  const [, family, , ending] = HASHED.exec(name)!;
  const digest = createHash('sha256').update(`${n} ${name}`).digest('hex').toUpperCase();
  // In base32, with a capital first.
  const hash = digest.replace(/[0189]/g, 'Q').slice(0, 7);
  return `${family}-Z${hash}.${ending}`;
}
