/**
 * nginx on the files of a build, one worker, in the foreground: its configuration is made here. A second argument
 * has it send the encoded files beside them: `gzip_static`, or `brotli_static` with the path of that module.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, , dist = '', encoding, module] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-nginx-'));
const probe = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => probe.once('listening', resolve));
const { port } = probe.address() as AddressInfo;
await new Promise((resolve) => probe.close(resolve));
writeFileSync(
  join(folder, 'nginx.conf'),
  `${module === undefined ? '' : `load_module ${module}; `}daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 2048; }
http {
  types { text/html html; text/css css; text/javascript js; image/svg+xml svg; }
  access_log off; sendfile on; tcp_nopush on; open_file_cache max=1000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  ${encoding === undefined ? '' : `${encoding} on; gzip_vary on;`}
  server { listen 127.0.0.1:${port}; root ${join(dist, 'browser')}; }
}
`,
);
const child = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
process.once('SIGTERM', () => child.kill());
child.once('exit', () => process.exit());
setTimeout(() => console.log(`Process ${child.pid}\nListening on http://127.0.0.1:${port}/`), 300);
