import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisBuildStore, redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aclSetting, aclUser } from './acl-user.ts';
import { Certificate, isOpensslMissing } from './certificate.ts';
import { ownPrefix, pageKeyOf } from './open-store.ts';
import { RedisCluster } from './redis-cluster.ts';
import { isRedisServerMissing, RedisProcess } from './redis-process.ts';

const POLL = { timeout: 30_000, interval: 10 };
const isMissing = isRedisServerMissing() || isOpensslMissing();

describe.skipIf(isMissing)('with TLS and the ACL user of the README', () => {
  let certificate: Certificate;
  beforeAll(() => void (certificate = new Certificate()));
  afterAll(() => certificate?.remove());

  describe('a cluster', () => {
    let cluster: RedisCluster;
    let options: RedisPageStoreOptions;
    beforeAll(async () => {
      const socket = { tls: true, ca: certificate.pem } as const;
      cluster = await RedisCluster.start(
        (port) => [...certificate.settings(port), 'tls-cluster yes', aclSetting()],
        ['--tls', '--cacert', certificate.file],
        { socket },
      );
      options = { cluster: cluster.nodes, client: { ...aclUser, socket }, timeoutMs: 10_000 };
    });
    afterAll(() => cluster?.stop());

    definePageStoreSuite({
      name: 'Redis Cluster with TLS',
      createPlace: async () => {
        const prefix = ownPrefix();
        return {
          createStore: (limits) => redisPageStore({ ...options, prefix, ...limits }),
          close: () => cluster.flush(),
        };
      },
    });

    test('files of builds are shared', async () => {
      await expectBuilds(options);
    });

    test('commands follow a slot that moves', async () => {
      const { store, errors } = await open(options);
      const { id, port } = await cluster.primaryOf(pageKeyOf('/'));
      const to = (await cluster.primaries()).find((other) => other.id !== id)!;
      const slot = String(await cluster.admin(port).clusterKeySlot(pageKeyOf('/')));
      const [source, target] = [cluster.admin(port), cluster.admin(to.port)];
      await target.sendCommand(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', id]);
      await source.sendCommand(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id]);
      const lease = await store.lease('/', '/page');
      expect(lease).toHaveProperty('release');
      if (typeof lease === 'object') await lease.release();
      expect(errors).toEqual([]);
      for (const admin of [target, source]) {
        await admin.sendCommand(['CLUSTER', 'SETSLOT', slot, 'NODE', to.id]);
      }
    });

    test('a certificate that is not trusted is an outage, and so is a wrong password', async () => {
      const trusted = { tls: true, ca: certificate.pem } as const;
      for (const client of [
        { ...aclUser, socket: { tls: true } } as const,
        { ...aclUser, password: 'wrong-password', socket: trusted },
      ]) {
        const { store, errors } = openUnready({ ...options, client });
        await vi.waitFor(() => expect(errors).toHaveLength(1), POLL);
        expect(String(errors[0])).toContain('is unreachable');
        expect(String(errors[0])).not.toContain('wrong-password');
        expect(await store.get('/')).toBeUndefined();
      }
    });
  });

  describe('one server', () => {
    let server: RedisProcess;
    let options: RedisPageStoreOptions;
    beforeAll(async () => {
      server = await RedisProcess.start({
        settings: (port) => ['save ""', ...certificate.settings(port), aclSetting()],
      });
      const url = `rediss://${aclUser.username}:${aclUser.password}@127.0.0.1:${server.port}`;
      options = { url, client: { socket: { tls: true, ca: certificate.pem } }, timeoutMs: 10_000 };
    });
    afterAll(() => server?.stop());

    definePageStoreSuite({
      name: 'Redis with TLS',
      createPlace: async () => {
        const prefix = ownPrefix();
        return {
          createStore: (limits) => redisPageStore({ ...options, prefix, ...limits }),
          close: async () => {},
        };
      },
    });

    test('files of builds are shared', async () => {
      await expectBuilds(options);
    });
  });
});

interface Opened {
  readonly store: ReturnType<typeof redisPageStore>;
  readonly errors: unknown[];
}

function openUnready(options: RedisPageStoreOptions): Opened {
  const store = redisPageStore(options);
  const errors: unknown[] = [];
  store.open({ buildId: 'build', onPurge() {}, onError: (error) => errors.push(error) });
  onTestFinished(() => store.close());
  return { store, errors };
}

async function open(options: RedisPageStoreOptions): Promise<Opened> {
  const opened = openUnready(options);
  await vi.waitFor(() => expect(opened.store.version()).toBeGreaterThan(0), POLL);
  return opened;
}

async function expectBuilds(options: RedisPageStoreOptions): Promise<void> {
  const stores = [0, 1].map(() => {
    const store = redisBuildStore(options);
    store.open({ baseHref: '/', keep: 2, onError: (error) => expect.unreachable(String(error)) });
    onTestFinished(() => store.close());
    return store;
  });
  const read = (): Promise<Buffer> => Promise.resolve(Buffer.from('main'));
  await stores[0]!.publish({ id: '1', files: [{ path: '/main.js', read }] });
  await vi.waitFor(async () => expect((await stores[1]!.find(['/main.js'])).size).toBe(1), POLL);
}
