import { Agent, request } from 'node:http';
import { openContent } from '../../../packages/core/src/features/slots/open-encoding.ts';
import { slottedServer } from '../contestants/catalogue.ts';
import type { Row } from '../measure/row.ts';
import type { Entry, Session } from '../measure/session.ts';
import { type Spread, spreadOf } from '../measure/spread.ts';
import { isFile, isFileIn, type Verdict } from '../measure/verdict.ts';
import { timeCalls } from '../micro/time-calls.ts';
import { IDENTITY } from './built-files.ts';
import { generatePage, generateSite } from './generate-site.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'slots';
const PAGE_BYTES = 68 * 1024;
const LATE_MS = 600;
const FIRST_BYTES = 1000;
const WARM_FIRST_BYTES = 200;
const COOKIE = { cookie: 'session=ann' };
/** For which `when` returns false. */
const OTHER_COOKIE = { cookie: 'theme=dark' };
const AT_ONCE = 'withSlots(), a slot that is filled at once';
/** A control: the same server, path and headers as the row of this name without it. */
const AGAIN = ', again';
/** How far a row and its control may lie apart. */
const CONTROL = 0.05;
/** A slot with a cart. */
const PIECE = Buffer.from(
  `<script type="application/json" data-ng-ssr-slot="cart">${'x'.repeat(1000)}\n</script>`,
);

/** What slots cost: those of a page, and the feature where a request has none. */
export const slotsScenario: Scenario = {
  name: NAME,
  title:
    'a cached page with slots beside the same without: CPU per request, the first byte during a fill of 600 ms, a tail',
  async run(session) {
    const site = { folder: generateSite(1, PAGE_BYTES), lateMs: LATE_MS };
    const without = slottedServer('without withSlots()', { ...site, hasSlots: false });
    const having = slottedServer('withSlots(), no cookie', { ...site, hasSlots: true });
    const page = Buffer.from(generatePage(0, PAGE_BYTES));
    const entriesOf = (work: string, headers: Entry['headers'], verdict: Verdict): Entry[] => {
      const entry = {
        ...{ scenario: NAME, work, path: '/stored', contestant: having, headers, verdict },
        ...{ settles: true, longer: 2, isCompared: true },
      };
      const filled = { ...entry, headers: { ...headers, ...COOKIE }, verdict: isSlotted };
      return [
        { ...entry, contestant: without },
        { ...entry, contestant: without, server: `${without.name}${AGAIN}` },
        entry,
        {
          ...{ ...entry, server: 'withSlots(), when returns false' },
          ...{ path: '/conditional', headers: { ...headers, ...OTHER_COOKIE } },
        },
        { ...filled, server: AT_ONCE },
        { ...filled, server: `${AT_ONCE}${AGAIN}` },
        {
          ...{ ...filled, server: 'withSlots(), a slot that is filled after a timer' },
          ...{ path: '/soon', verdict: isStreamed },
        },
      ];
    };
    try {
      return [
        ...judgeControls(
          await session.interleave([
            ...entriesOf('page', IDENTITY, isFile(page)),
            ...(['br', 'gzip'] as const).flatMap((encoding) =>
              entriesOf(encoding, { 'accept-encoding': encoding }, isFileIn(encoding, page)),
            ),
          ]),
        ),
        ...(await timeFirstBytes(session, (await session.server(having)).origin)),
        ...(await timeTails(page)),
      ];
    } finally {
      await session.stopServers();
    }
  },
};

const isSlotted: Verdict = ({ status, headers }) =>
  status === 200 && String(headers['cache-control']).startsWith('private')
    ? undefined
    : `status ${status}, ${String(headers['cache-control'])}`;

/** The first response waits for its encoding, and has its slot by then. */
const isStreamed: Verdict = (answer) =>
  answer.headers['content-length'] === undefined ? isSlotted(answer) : 'a slot that did not wait';

/** Notes at each control whether it agrees with its row: if not, smaller differences of this run say nothing. */
function judgeControls(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => {
    if (!row.id.endsWith(AGAIN)) return row;
    const first = rows.find(({ id }) => id === row.id.slice(0, -AGAIN.length));
    if (row.ratio === undefined || first?.ratio === undefined) return row;
    const apart = Math.abs(row.ratio.median / first.ratio.median - 1);
    const holds = apart <= CONTROL ? 'holds' : 'DOES NOT HOLD';
    return { ...row, note: `the control ${holds}: ${(100 * apart).toFixed(1)} % apart` };
  });
}

/** Of a hit, and of a page whose slot takes its time, in turn. */
async function timeFirstBytes(session: Session, origin: string): Promise<readonly Row[]> {
  const agent = new Agent({ keepAlive: true });
  const url = `${origin}/late`;
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < FIRST_BYTES; round++) {
    session.say(`first byte ${round + 1}/${FIRST_BYTES}`);
    for (const [at, headers] of [{}, COOKIE].entries()) {
      // Both come on a connection that has had a hit, directly after it.
      await firstByteMs(url, {}, agent);
      const ms = await firstByteMs(url, headers, agent);
      // The first ones are rendered and encoded.
      if (round >= WARM_FIRST_BYTES) times[at]!.push(ms);
    }
  }
  agent.destroy();
  return [
    toRow('first byte', 'a hit', spreadOf(times[0]), 'ms'),
    toRow('first byte', 'a page with a slot that takes 600 ms', spreadOf(times[1]), 'ms'),
  ];
}

/** Resolves at the end of the response, with the time until its content began. It does not wait for a late slot. */
function firstByteMs(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sinceMs = performance.now();
    const asked = { headers: { 'accept-encoding': 'br', ...headers }, agent };
    request(url, asked, (answer) => {
      let ms: number | undefined;
      const isLate = answer.headers['content-length'] === undefined;
      answer.on('data', () => {
        ms ??= performance.now() - sinceMs;
        if (isLate) answer.destroy();
      });
      answer.once('error', reject).once('close', () => resolve(ms ?? Number.NaN));
    })
      .once('error', reject)
      .end();
  });
}

/** What follows a page, without the zlib call that it was made with. */
async function timeTails(page: Buffer): Promise<readonly Row[]> {
  const contenders: Record<string, () => unknown> = {};
  for (const encoding of ['gzip', 'br', 'zstd'] as const) {
    const open = await openContent(page, encoding);
    if (open === undefined) throw new Error(`${encoding} saves nothing`);
    contenders[encoding] = () => {
      const tail = open.tail();
      return [...tail.add(PIECE), ...tail.end()];
    };
  }
  return Object.entries(timeCalls(contenders)).map(([encoding, value]) =>
    toRow('tail', encoding, value, 'ns'),
  );
}

function toRow(work: string, server: string, value: Spread, unit: string): Row {
  return { id: `${NAME}/${work}/${server}`, scenario: NAME, work, server, value, unit };
}
