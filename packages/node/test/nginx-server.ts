import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../tools/free-port.ts';

const PROGRAM = process.env['NGINX_PATH'] ?? 'nginx';

/** Why tests behind nginx are skipped where there is none, and what would provide it. */
export const NO_NGINX = 'no nginx on PATH: "apt-get install nginx-light", or set NGINX_PATH to one';

/**
 * Whether there is no nginx on this machine; it says so.
 *
 * @throws when there is none and CI=true: there, no test may be skipped.
 */
export function isNginxMissing(): boolean {
  if (spawnSync(PROGRAM, ['-v'], { stdio: 'ignore' }).status === 0) return false;
  if (process.env['CI'] === 'true') throw new Error(NO_NGINX);
  console.warn(`Tests behind nginx are skipped: ${NO_NGINX}`);
  return true;
}

/** An nginx of a test's own. */
export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts nginx on loopback.
 *
 * @param location - The directives of its location `/`. It may have `proxy_cache pages`.
 */
export async function startNginx(location: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  const text = `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary}
      proxy_cache_path ${folder}/pages keys_zone=pages:1m;
      server {
        listen 127.0.0.1:${port};
        location / { ${location} }
      }
    }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  const log = join(folder, 'error.log');
  const child = spawn(PROGRAM, ['-e', log, '-p', folder, '-c', file], { stdio: 'inherit' });
  const exited = once(child, 'exit');
  await listening(port, child);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** nginx says nothing when it listens: only a connection shows it. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await delay(10);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`nginx has ended with ${child.exitCode}`);
}
