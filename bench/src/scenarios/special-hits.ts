import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../../packages/node/test/self-signed.ts';
import { dist, program } from '../contestants/catalogue.ts';
import type { SpecialHits } from '../contestants/special-hits.ts';
import type { Row } from '../measure/row.ts';
import type { Entry } from '../measure/session.ts';
import { isFile } from '../measure/verdict.ts';
import { IDENTITY } from './built-files.ts';
import { generatePage } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'special-hits';
const PAGE_BYTES = 11_000;
/** As long as a nonce. */
const PLACEHOLDER = 'cGxhY2Vob2xkZXItb2YtYmVu';

/** Hits before middleware that are not simply bytes: over TLS, and with a nonce. */
export const specialHitsScenario: Scenario = {
  name: NAME,
  title:
    'a hit before middleware over TLS, and one with a nonce of its own in each answer, of 11 KB',
  async run(session) {
    const page = generatePage(0, PAGE_BYTES - 50);
    const nonced = page.replace('</head>', `<script nonce="${PLACEHOLDER}"></script></head>`);
    const pair = selfSigned();
    const tls = pair && { key: pair.key.toString(), cert: pair.cert.toString() };
    const entriesOf = (
      work: string,
      html: string,
      site: Partial<SpecialHits>,
    ): readonly Entry[] => {
      const folder = join(dist, `../${work}/browser`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'index.html'), html);
      return [true, false].map((isLimit) => {
        const args = { isLimit, folder, ...site } satisfies SpecialHits;
        const server = isLimit ? 'limit node:http' : 'ng-ssr node before-middleware';
        const name = `${server}, ${work}`;
        return {
          ...{ scenario: NAME, work, server, path: '/', headers: IDENTITY },
          contestant: program(name, 'special-hits.ts', [JSON.stringify(args)]),
          verdict: site.placeholder === undefined ? isFile(Buffer.from(html)) : isNonced(html),
        };
      });
    };
    try {
      const rows = await session.interleave([
        ...(tls === undefined ? [] : entriesOf('TLS', page, { pair: tls })),
        ...entriesOf('nonce', nonced, { placeholder: PLACEHOLDER }),
      ]);
      return [...rows, ...(tls === undefined ? notMeasured() : [])];
    } finally {
      await session.stopServers();
    }
  },
};

function isNonced(html: string): Entry['verdict'] {
  return ({ headers, body }) => {
    const policy = String(headers['content-security-policy']);
    const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1];
    if (nonce === undefined || nonce === PLACEHOLDER) return `the policy ${policy}`;
    const isRight = body.toString() === html.replace(PLACEHOLDER, nonce);
    return isRight ? undefined : 'another page, or without the nonce of its policy';
  };
}

function notMeasured(): readonly Row[] {
  const voidBecause = 'openssl is missing: run "apt-get install openssl"';
  return ['limit node:http', 'ng-ssr node before-middleware'].map((server) => ({
    ...{ id: `${NAME}/TLS/${server}`, scenario: NAME, work: 'TLS', server, voidBecause },
  }));
}
