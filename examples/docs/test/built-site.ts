import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../..');
const program = join(import.meta.dirname, '../dist/server/server.mjs');

export interface BuiltSite {
  /** Without a slash at the end. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Serves the built site on a free port, as `npm run docs` does. */
export async function startSite(): Promise<BuiltSite> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0', NODE_ENV: 'production', NG_ALLOWED_HOSTS: 'localhost' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = line.split('Listening on ');
      if (address !== undefined) resolve(address);
    });
    void exited.then(([code]) => reject(new Error(`${program} ended with ${code}`)));
  });
  return {
    origin: url.replace(/\/$/, ''),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

interface Listed {
  readonly title: string;
  readonly pages: readonly string[];
}

/** The routes of docs/contents.json, each with a slash in front. */
export function contentsRoutes(): readonly string[] {
  const text = readFileSync(join(root, 'docs/contents.json'), 'utf8');
  return (JSON.parse(text) as Listed[])
    .flatMap(({ pages }) => pages)
    .map((page) => `/${page.replace(/(^|\/)README\.md$|\.md$/, '')}`);
}
