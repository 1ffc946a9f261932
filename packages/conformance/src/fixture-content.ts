import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { seededBytes, seededText } from './seeded-bytes.ts';

/** The text of a file outside the browser folder, which the server must never send. */
export const SECRET = 'nobody outside this machine may read this line';

/** The modification time of every fixture file. */
export const FIXTURE_TIME = new Date('2024-05-01T12:00:00Z');

/** Larger files are not held in any profile. */
export const FIXTURE_MAX_FILE_BYTES = 256 * 1024;

/** The Cache-Control of home pages that browsers keep as dictionaries, and validate each time. */
export const HOME_CACHE_CONTROL = 'public, max-age=0, s-maxage=3600, stale-while-revalidate=86400';

/**
 * Files with all their encodings beside them: most of the site's text, whose best encodings each server would otherwise
 * make when it starts. Servers code the other files themselves.
 */
const PRECOMPRESSED = [
  'chunk-BIGFILE7.js',
  'assets/prices.csv',
  'index.html',
  'guide/index.html',
  'main-ABCDEFG2.js',
  'styles-QWERTY23.css',
  'sv/index.html',
  'über/index.html',
  'assets/data.json',
];

/** `prerendered-routes.json` as the Angular build writes it beside the browser folder. */
export const PRERENDERED_ROUTES = {
  routes: {
    '/': {},
    '/about': {},
    '/guide': { headers: { 'Cache-Control': 'public, max-age=300', 'X-Content-Source': 'guide' } },
    '/private': { headers: { 'Cache-Control': 'no-store' } },
    '/über': {},
    '/sv': { headers: { 'Cache-Control': HOME_CACHE_CONTROL } },
  },
};

function prerenderedPage(title: string, length: number, seed: number): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<link rel="stylesheet" href="/styles-QWERTY23.css"></head>` +
    `<body><app-root ng-version="22.2.0" ng-server-context="ssg"><h1>${title}</h1>` +
    `<p>${seededText(length, seed).replaceAll(' stale ', '</p><p>')}</p></app-root>` +
    `<script src="/main-ABCDEFG2.js" type="module"></script></body></html>`
  );
}

function csv(length: number): string {
  const lines = ['id,name,price'];
  for (let size = lines[0]?.length ?? 0, id = 1; size < length; id++) {
    const line = `${id},item number ${id},${(id * 7919) % 10_000}`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n');
}

/** Every fixture file below the browser folder: its path there and its bytes. */
export function fixtureFiles(): ReadonlyMap<string, Buffer> {
  const csrPage =
    '<!doctype html><html><head><title>Shell</title></head><body><app-root></app-root></body></html>';
  const plain = `${seededText(6_000, 21)}\n`;
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    seededBytes(20_000, 22),
  ]);
  const texts: Record<string, string> = {
    'index.html': prerenderedPage('Home', 68_000, 1),
    'index.csr.html': csrPage,
    'about/index.html': prerenderedPage('About', 9_000, 2),
    'guide/index.html': prerenderedPage('Guide', 12_000, 3),
    'private/index.html': prerenderedPage('Private', 5_000, 4),
    'über/index.html': prerenderedPage('Über', 5_000, 5),
    // Two locales: the home page of one is prerendered, that of the other rendered by the engine.
    'sv/index.csr.html': csrPage,
    'sv/index.html': prerenderedPage('Hem', 9_000, 6),
    'de/index.csr.html': csrPage,
    'errors/not-found.html': `<!doctype html><h1>Nothing here</h1><p>${seededText(3_000, 11)}</p>`,
    'errors/failure.html': `<!doctype html><h1>Out of order</h1><p>${seededText(3_000, 12)}</p>`,
    'main-ABCDEFG2.js': `export const text = ${JSON.stringify(seededText(40_000, 6))};\n`,
    'chunk-BIGFILE7.js': `export const text = ${JSON.stringify(seededText(300_000, 7))};\n`,
    'styles-QWERTY23.css': `/* ${seededText(8_000, 8)} */\nbody{margin:0}\n`,
    'robots.txt': 'User-agent: *\nAllow: /\n',
    'price list äöü.txt': `Äpfel, Öl, Übermut\n${seededText(3_000, 9)}\n`,
    '.well-known/security.txt': 'Contact: mailto:security@shop.example\n',
    '.env': `PASSWORD=${SECRET}\n`,
    'assets/.htpasswd': `admin:${SECRET}\n`,
    'assets/data.json': JSON.stringify({ items: seededText(4_000, 10).split(' ') }),
    'assets/empty.txt': '',
    'assets/prices.csv': csv(1.3 * FIXTURE_MAX_FILE_BYTES),
    'x.txt': plain,
  };
  const files = new Map<string, Buffer>(
    Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]),
  );
  files.set('favicon.ico', seededBytes(1_200, 23));
  files.set('assets/logo.png', png);
  files.set('assets/chair.glb', Buffer.from(seededText(6_000, 25)));
  files.set('assets/archive', seededBytes(300_000, 24));
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  files.set('x.txt.br', brotliCompressSync(plain, fast));
  for (const path of PRECOMPRESSED) {
    const text = files.get(path)!;
    files.set(`${path}.br`, brotliCompressSync(text, fast));
    files.set(`${path}.gz`, gzipSync(text));
    files.set(`${path}.zst`, zstdCompressSync(text));
  }
  return files;
}

/** Every file of an earlier build: its path below the browser folder and its bytes. */
export function earlierFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['index.html', prerenderedPage('Earlier', 2_000, 31)],
    ['index.csr.html', '<!doctype html><app-root></app-root>'],
    ['main-EARLIER2.js', `export const text = ${JSON.stringify(seededText(3_000, 32))};\n`],
    ['main-EARLIER2.js.map', '{}'],
    ['chunk-EARLIER7.js', `export const text = ${JSON.stringify(seededText(300_000, 33))};\n`],
    ['styles-EARLIER3.css', 'body{margin:1px}\n'],
    ['sv/main-EARLIER4.js', 'export {};\n'],
    ['media/face-EARLIER5.woff2', 'a font'],
    // The hash stays the same: a file of another build with this name is never sent.
    ['main-ABCDEFG2.js', 'of the earlier build'],
    ['robots.txt', 'of the earlier build'],
    ['earlier.txt', 'of the earlier build'],
    ['.env-EARLIER6.js', SECRET],
  ]);
}
