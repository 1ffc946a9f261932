import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Publication {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly access: string;
  readonly versions: Readonly<Record<string, { readonly dependencies?: object }>>;
}

/** A registry on the loopback interface that keeps what is published, in the order in which it comes. */
export interface NpmRegistry extends AsyncDisposable {
  readonly published: readonly Publication[];
  /** Has npm use this registry. */
  readonly environment: NodeJS.ProcessEnv;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const published: Publication[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1));
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method !== 'PUT') {
      const found = published.find((each) => each.name === name);
      return found === undefined ? reply(404, { error: 'not_found' }) : reply(200, found);
    }
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      published.push(JSON.parse(body) as Publication);
      reply(201, { ok: true });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = join(mkdtempSync(join(tmpdir(), 'ng-ssr-npmrc-')), '.npmrc');
  writeFileSync(settings, `registry=http://${address}\n//${address}:_authToken=test\n`);
  return {
    published,
    environment: { npm_config_userconfig: settings, npm_config_registry: `http://${address}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
