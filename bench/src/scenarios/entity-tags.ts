import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { entityTag } from '@ng-ssr/etag';
import { entityTag as twin } from '@ng-ssr/etag/twin';
import type { Row } from '../measure/row.ts';
import { createSamplePage } from '../micro/sample-page.ts';
import { timeCalls } from '../micro/time-calls.ts';
import type { Scenario } from './scenario.ts';

const etag = createRequire(import.meta.url)('etag') as (body: Buffer | string) => string;

const KIB = 1024;
const SIZES = [16, 256, 4 * KIB, 16 * KIB, 68 * KIB, KIB * KIB];

/** What an ETag costs, over sizes and over the ways a page is held. */
export const entityTagsScenario: Scenario = {
  name: 'entity-tags',
  title: 'ETags from 16 B to 1 MB, of bytes and strings, in nanoseconds',
  quick: { seconds: 8, isCpuBound: true },
  run(session) {
    const rows: Row[] = [];
    for (const size of SIZES) {
      const label = size < KIB ? `${size} B` : `${size / KIB} KiB`;
      const bytes = createSamplePage(size);
      const text = bytes.toString('latin1');
      // One character outside Latin-1, as in most pages: V8 then holds two bytes per character.
      const wide = `${text.slice(1)}€`;
      const target = Buffer.allocUnsafeSlow(size);
      for (const [kind, input] of [
        ['Buffer', bytes],
        ['string', text],
        ['wide string', wide],
      ] as const) {
        session.say(`${label} ${kind}`);
        const times = timeCalls({
          'etag package': () => etag(input),
          'crc32 of node:zlib': () => crc32(input),
          native: () => entityTag(input),
          twin: () => twin(input),
          ...(kind === 'Buffer' ? { memcpy: () => bytes.copy(target) } : {}),
        });
        for (const [server, value] of Object.entries(times)) {
          const work = `${label} ${kind}`;
          const id = `entity-tags/${work}/${server}`;
          rows.push({ id, scenario: 'entity-tags', work, server, x: size, value, unit: 'ns' });
        }
      }
    }
    return Promise.resolve(rows);
  },
};
