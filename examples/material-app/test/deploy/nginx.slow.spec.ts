import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';
import { askOver, expectPages, type RawAnswer } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { needsProgram } from './missing-program.ts';
import { noteRun } from './run-log.ts';
import { shopFolder, temporaryFolder } from './site-folder.ts';

const LARGE_BYTES = 25 * 1024 * 1024;

/** Replaces what depends on the machine, and nothing else: each of these stands there. */
function withPlaces(text: string, places: readonly (readonly [string, string])[]): string {
  return places.reduce((site, [from, to]) => {
    expect(site).toContain(from);
    return site.replaceAll(from, to);
  }, text);
}

/** Runs nginx with the site of the page, in front of a server. */
async function startNginx(
  context: TestContext,
  port: number,
): Promise<{ https: number; http: number }> {
  needsProgram(context, 'nginx', 'apt-get install nginx-light');
  const folder = temporaryFolder();
  const [http, https] = [await freePort(), await freePort()];
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-nodes', '-newkey', 'rsa:2048'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...subject, ...files], { stdio: 'ignore' });
  const site = withPlaces(fileShownIn('nginx.md', 'deploy/shop.nginx.conf'), [
    ['127.0.0.1:4000', `127.0.0.1:${port}`],
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    ['your.host;', '127.0.0.1;'],
    ['/etc/ssl/your.host.pem', certificate],
    ['/etc/ssl/your.host.key', key],
  ]);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name));
    return `${name}_temp_path ${join(folder, name)};`;
  });
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${join(folder, 'pid')}; error_log stderr warn; daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${temporary.join(' ')} include ${join(folder, 'site.conf')}; }
`,
  );
  noteRun({ started: 'nginx' });
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = once(nginx, 'exit');
  onTestFinished(async () => {
    nginx.kill('SIGQUIT');
    await exited;
    // Neither a warning of the site, nor an upstream that has failed unasked.
    expect(said.split('\n').filter((line) => /\[(warn|emerg)\]/.test(line))).toEqual([]);
  });
  const isUp = async () =>
    askOver(`http://127.0.0.1:${http}`)('/').then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await delay(20);
  return { http, https };
}

async function start(port: number): Promise<DeployedServer> {
  const folder = shopFolder(true);
  writeFileSync(join(folder, 'dist/shop/browser/large.bin'), Buffer.alloc(LARGE_BYTES, 'large'));
  return DeployedServer.start({
    command: [process.execPath, 'dist/shop/server/server.mjs'],
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      NG_ALLOWED_HOSTS: '127.0.0.1',
      NG_TRUST_PROXY_HEADERS: 'x-forwarded-proto',
    },
    origin: `http://127.0.0.1:${port}`,
  });
}

test('pages, files and their headers pass nginx', async (context) => {
  const port = await freePort();
  const { http, https } = await startNginx(context, port);
  const server = await start(port);
  const origin = `https://127.0.0.1:${https}`;
  const ask = askOver(origin);
  // For another host nginx answers with its only site, and the server refuses the host.
  await expectPages(ask);

  // What the server says is what the client gets, tags included.
  for (const encoding of ['br', 'zstd', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const [direct, proxied] = [
      await askOver(server.origin)('/about', headers),
      await ask('/about', headers),
    ];
    expect(proxied.body.equals(direct.body)).toBe(true);
    for (const name of ['etag', 'content-encoding', 'vary', 'cache-control', 'content-length']) {
      expect([encoding, name, proxied.headers[name]]).toEqual([
        encoding,
        name,
        direct.headers[name],
      ]);
    }
  }

  const redirected = await askOver(`http://127.0.0.1:${http}`)('/about?a=1');
  expect([redirected.status, redirected.headers['location']]).toEqual([
    301,
    'https://127.0.0.1/about?a=1',
  ]);

  // Clients cannot forge what the server trusts.
  const forged = { 'x-forwarded-proto': 'gopher' };
  expect((await askOver(server.origin)('/about', forged)).status).toBe(400);
  expect((await ask('/about', forged)).status).toBe(200);

  const large = await ask('/large.bin');
  expect([large.status, large.body.byteLength]).toEqual([200, LARGE_BYTES]);
  const part = await ask('/large.bin', { range: `bytes=${LARGE_BYTES - 5}-` });
  expect([part.status, String(part.body)]).toEqual([206, 'large']);

  const overHttp2 = await askHttp2(origin, '/about');
  expect(overHttp2.status).toBe(200);
});

test('events of a stream arrive one by one', async (context) => {
  const port = await freePort();
  const { https } = await startNginx(context, port);
  const server = createServer((_request, response) => {
    const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    response.writeHead(200, headers).write('data: first\n\n');
    // The second is sent when the first has arrived.
    onSecond = () => response.end('data: second\n\n');
  }).listen(port, '127.0.0.1');
  let onSecond = (): void => undefined;
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const [response] = (await once(
    get(`https://127.0.0.1:${https}/events`, { rejectUnauthorized: false }),
    'response',
  )) as [IncomingMessage];
  const [first] = (await once(response, 'data')) as [Buffer];
  expect(String(first)).toBe('data: first\n\n');
  onSecond();
  const [second] = (await once(response, 'data')) as [Buffer];
  expect(String(second)).toBe('data: second\n\n');
});

test('a client that leaves is not served any longer', async (context) => {
  const port = await freePort();
  const { https } = await startNginx(context, port);
  const server = await start(port);
  // A page that renders for seconds.
  const asked = get(`https://127.0.0.1:${https}/slow`, { rejectUnauthorized: false });
  asked.on('error', () => undefined);
  await delay(300);
  asked.destroy();
  expect(await server.drain()).toBe(0);
  expect(server.said).not.toContain('cut off');
});

test('a server that restarts is found again', async (context) => {
  const port = await freePort();
  const { https } = await startNginx(context, port);
  const ask = askOver(`https://127.0.0.1:${https}`);
  const first = await start(port);
  expect((await ask('/about')).status).toBe(200);
  expect(await first.drain()).toBe(0);
  expect((await ask('/about')).status).toBe(502);
  await start(port);
  // nginx leaves out no server where there is only one.
  expect((await ask('/about')).status).toBe(200);
});

async function askHttp2(origin: string, path: string): Promise<Pick<RawAnswer, 'status'>> {
  const session = connect(origin, { rejectUnauthorized: false });
  const stream = session.request({ ':path': path });
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  stream.resume();
  await once(stream, 'end');
  session.close();
  return { status: headers[':status'] };
}
