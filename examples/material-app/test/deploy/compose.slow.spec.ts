import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { fileShownIn } from '../../../../packages/schematics/test/deploy-page.ts';
import { askOver, expectPages } from './ask-pages.ts';
import { DeployedServer } from './deployed-server.ts';
import { freePort } from '../../../../tools/free-port.ts';
import { needsProgram } from './missing-program.ts';
import { noteRun } from './run-log.ts';
import { shopFolder } from './site-folder.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const { services } = parse(fileShownIn('compose.md', 'compose.yaml')) as {
  services: Readonly<Record<'shop' | 'redis', Service>>;
};

/** What Compose makes of `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, sign, rest: string) => {
    const value = env[name];
    if (value) return value;
    if (sign === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
    return rest;
  });
}

function environmentOf({ environment = {} }: Service, env: Readonly<Record<string, string>>) {
  const pairs = Object.entries(environment);
  return Object.fromEntries(pairs.map(([name, value]) => [name, interpolate(value, env)]));
}

/** The members of the Compose specification that stand there. */
const MEMBERS = new Set([
  ...['build', 'image', 'command', 'environment', 'ports', 'restart', 'depends_on', 'healthcheck'],
  ...['stop_grace_period', 'read_only', 'cap_drop', 'security_opt'],
]);

/** Shorter than the page stays fresh by itself, which is a minute. */
const WITHIN = { timeout: 20_000 };

describe('compose.yaml', () => {
  test('has services of the Compose specification, which wait for each other', () => {
    for (const service of Object.values(services)) {
      expect(Object.keys(service).filter((name) => !MEMBERS.has(name))).toEqual([]);
      expect((service.image === undefined) !== (service.build === undefined)).toBe(true);
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe('service_healthy');
        expect(services[name as 'redis'].healthcheck).toBeDefined();
      }
    }
    // Longer than the default of shutdown.timeoutMs, 10 s.
    expect(parseInt(services.shop.stop_grace_period!)).toBeGreaterThan(10);
  });

  test('starts with a secret for purges only', () => {
    expect(() => environmentOf(services.shop, {})).toThrow('PURGE_TOKEN');
    expect(environmentOf(services.shop, { PURGE_TOKEN: 'a' })['NG_ALLOWED_HOSTS']).toBe(
      'localhost',
    );
  });

  test('two servers share pages and purges through the Redis that it runs', async (context) => {
    needsProgram(context, 'redis-server', 'apt-get install redis-server');
    const [program, ...parameters] = services.redis.command!;
    const redisPort = await freePort();
    noteRun({ started: program });
    const redis = spawn(
      program,
      [...parameters, '--port', String(redisPort), '--bind', '127.0.0.1'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => void redis.kill('SIGKILL'));
    let log = '';
    for await (const part of redis.stdout) {
      log += String(part);
      if (log.includes('Ready to accept connections')) break;
    }
    const token = 'a-secret-of-this-test';
    const env = environmentOf(services.shop, { PURGE_TOKEN: token, NG_ALLOWED_HOSTS: '127.0.0.1' });
    expect(env['REDIS_URL']).toBe('redis://redis:6379');
    const folder = shopFolder();
    const start = async (): Promise<DeployedServer> => {
      const port = await freePort();
      return DeployedServer.start({
        command: [process.execPath, 'dist/shop/server/server.mjs'],
        cwd: folder,
        env: {
          ...env,
          NODE_ENV: 'production',
          PORT: String(port),
          // In Compose the name of the service is that of its host.
          REDIS_URL: env['REDIS_URL']!.replace('redis:6379', `127.0.0.1:${redisPort}`),
        },
        origin: `http://127.0.0.1:${port}`,
      });
    };
    const servers = [await start(), await start()] as const;
    for (const { origin } of servers) await expectPages(askOver(origin));
    const [first, second] = servers;
    // The host is in the key of a page, and its port.
    const host = { host: '127.0.0.1' };
    const ask = ({ origin }: DeployedServer) => askOver(origin)('/greeting', host);
    expect((await ask(first)).headers['cache-status']).toContain('stored');
    const statusOfSecond = async () => (await ask(second)).headers['cache-status'];
    await expect.poll(statusOfSecond, WITHIN).toContain('hit');
    const purged = await fetch(`${first.origin}/_cache/purge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ path: '/greeting' }),
    });
    expect(purged.status).toBe(200);
    await expect.poll(statusOfSecond, WITHIN).toMatch(/ttl=-|fwd=/);
    for (const server of servers) expect(await server.drain()).toBe(0);
    redis.kill('SIGTERM');
    await once(redis, 'exit');
  });
});
