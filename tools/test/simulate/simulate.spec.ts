import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Fleet } from '../../simulate/fleet.ts';
import { randomFrom, scatter, zipf } from '../../simulate/random.ts';
import { formatPhases } from '../../simulate/report.ts';
import { checkScenario, DEFAULTS, type Scenario } from '../../simulate/scenario.ts';
import { Site } from '../../simulate/site.ts';
import { Store } from '../../simulate/store.ts';
import { VirtualTime } from '../../simulate/virtual-time.ts';

const SMALL: Scenario = {
  ...DEFAULTS,
  ...{ pages: 300, tagPages: 300, pageKb: 10, memoryMib: 1, requestsPerSecond: 100 },
  ...{ warmUpSeconds: 4, phaseSeconds: 4, deploySeconds: 2, restartSeconds: 0.5 },
};

test('the same seed gives the same figures in all phases, another one others', async () => {
  const first = formatPhases(await new Fleet(SMALL).run());
  expect(formatPhases(await new Fleet(SMALL).run())).toBe(first);
  expect(formatPhases(await new Fleet({ ...SMALL, seed: 2 }).run())).not.toBe(first);
});

test('no machine answers with a purged page, also with variants and lost messages', async () => {
  const scenario = { ...SMALL, varyShare: 0.3, variants: 2, lostMessages: 0.5 };
  const all = await new Fleet(scenario).run();
  expect(all.map(({ wrong }) => wrong)).toEqual(all.map(() => 0));
  expect(all.find(({ phase }) => phase === 'soft-purge')!.old).toBeGreaterThan(0);
});

describe('a planted mistake is found', () => {
  const hard = { ...SMALL, phases: 'hard-purge' };

  test.each([
    ['a machine keeps pages that another one has purged', { keepsPurged: true }, hard],
    ['the store gives purged pages', { ignoresPurges: true }, hard],
    [
      'a page that another machine has purged softly stays fresh',
      { keepsPurged: true },
      { ...SMALL, phases: 'soft-purge' },
    ],
  ])('%s', async (_name, plants, scenario) => {
    const [, purge] = await new Fleet(scenario, plants).run();
    expect(purge!.wrong).toBeGreaterThan(0);
    const [, withoutIt] = await new Fleet(scenario).run();
    expect(withoutIt!.wrong).toBe(0);
  });
});

describe('figures of a tiny fleet', () => {
  let fleet: Fleet;

  afterEach(() => fleet.time.uninstall());

  /** Machines that get only the requests that a test sends. */
  function start(scenario: Partial<Scenario>): void {
    fleet = new Fleet({
      ...{ ...SMALL, machines: 2, cores: 1, prefill: 0, pageSpread: 0, storeMbPerSecond: 1e9 },
      ...scenario,
    });
    fleet.time.install();
    fleet.start();
    fleet.nextMs = Infinity;
  }

  const send = (machine: number, page: number, variant = 0): boolean =>
    fleet.send(fleet.machineAt(machine), { page, variant, machine: 0 });

  /** Runs a phase of a second, with its requests at its beginning. */
  const second = (...requests: readonly (readonly [machine: number, page: number])[]) =>
    fleet.phase('second', 1, () => {
      for (const [machine, page] of requests) send(machine, page);
    });

  test('one machine renders, the other one gets the page from the store, then both from memory', async () => {
    start({});
    const one = await fleet.phase('one', 3, () => void send(0, 7));
    expect(one).toMatchObject({ render: 1, store: 0, memory: 0, rendersPerSecond: 0.3 });
    const two = await fleet.phase('two', 3, () => void send(1, 7));
    expect(two).toMatchObject({ render: 0, store: 1, memory: 0, rendersPerSecond: 0 });
    const three = await fleet.phase('three', 3, () => void (send(0, 7), send(1, 7)));
    expect(three).toMatchObject({ render: 0, store: 0, memory: 1, pagesPerMachine: 1 });
    // Each machine asks for the latest purge once a second.
    expect(three).toMatchObject({ storeReadsPerSecond: 2, storeWritesPerSecond: 0 });
  });

  test('a render costs the store two reads, a lease, the page, the note of its path and the release', async () => {
    start({ machines: 1 });
    const { storeReadsPerSecond, storeWritesPerSecond } = await fleet.phase(
      'one',
      10,
      () => void send(0, 7),
    );
    expect(storeReadsPerSecond).toBe((2 + 9) / 10);
    expect(storeWritesPerSecond).toBe(4 / 10);
  });

  test('two machines that are asked at the same time render once', async () => {
    start({});
    const { render, store } = await fleet.phase('both', 3, () => void (send(0, 7), send(1, 7)));
    expect([render, store]).toEqual([0.5, 0.5]);
    expect(fleet.counts.renders).toBe(1);
  });

  test('requests for a page that is being rendered wait for it', async () => {
    start({ shards: 0 });
    const { render, waited } = await fleet.phase('three', 3, () => {
      for (let times = 0; times < 4; times++) send(0, 7);
    });
    expect([render, waited]).toEqual([0.25, 0.75]);
  });

  test('a core renders one page after the other, more cores at the same time', async () => {
    const ask = (): void => {
      for (let page = 0; page < 10; page++) send(0, page);
    };
    start({ shards: 0, cores: 1, renderMs: 400 });
    await fleet.phase('a core', 2, ask);
    // From the first second on, two renders have ended, and a part of the third.
    expect(fleet.counts.render).toBe(2);
    fleet.time.uninstall();
    start({ shards: 0, cores: 5, renderMs: 400 });
    await fleet.phase('five cores', 2, ask);
    expect(fleet.counts.render).toBe(10);
  });

  test('memory drops the page that was used least recently', async () => {
    // A page of 400 kB, its headers and its key: two fit into 1 MiB, three do not.
    start({ machines: 1, shards: 0, pageKb: 400 });
    for (const page of [1, 2, 1, 3]) await fleet.phase('fill', 2, () => void send(0, page));
    expect((await fleet.phase('1', 2, () => void send(0, 1))).memory).toBe(1);
    expect((await fleet.phase('2', 2, () => void send(0, 2))).render).toBe(1);
  });

  test('the store has the bytes of its pages, until they expire', async () => {
    start({ pageKb: 100_000, brotliShare: 0.5, memoryMib: 500, sMaxAge: 4, swr: 6 });
    await fleet.phase('render', 2, () => void (send(0, 1), send(0, 2)));
    expect((await fleet.phase('kept', 1)).storeGb).toBe(0.1);
    expect((await fleet.phase('expired', 10)).storeGb).toBe(0);
  });

  test('the store has pages for seven days at most, as a real one', () => {
    const gigabytes = [7, 30].map((days) => {
      start({ prefill: 1, requestsPerSecond: 0.01, pageKb: 80_000, swr: days * 86_400 });
      const store = new Store(fleet.scenario, new Site(fleet.scenario), fleet.time, randomFrom(1));
      store.prefill('build');
      fleet.time.uninstall();
      return store.bytes / 1e9;
    });
    expect(gigabytes[0]).toBeGreaterThan(1);
    expect(gigabytes[1]).toBe(gigabytes[0]);
  });

  test('after a hard purge each page is rendered once for all machines', async () => {
    start({});
    await fleet.phase('fill', 3, () => void (send(0, 1), send(0, 2)));
    await fleet.phase('share', 3, () => void (send(1, 1), send(1, 2)));
    await fleet.phase('purge', 2, () => void fleet.purge(0, true));
    const after = await fleet.phase('after', 3, () => {
      for (const machine of [0, 1]) for (const page of [1, 2]) send(machine, page);
    });
    expect(after).toMatchObject({ memory: 0, render: 0.5, store: 0.5, wrong: 0 });
  });

  test('a store begins as it is after days: each page is rendered once per lifetime and gap', async () => {
    const [pages, sMaxAge, rate] = [300, 20, 100];
    const scenario = { ...SMALL, pages, sMaxAge, requestsPerSecond: rate, cores: 8 };
    const [, steady] = await new Fleet({
      ...{ ...scenario, swr: 86_400, phases: 'steady', warmUpSeconds: 5, phaseSeconds: 100 },
    }).run();
    let weights = 0;
    for (let rank = 1; rank <= pages; rank++) weights += 1 / rank;
    let expected = 0;
    for (let rank = 1; rank <= pages; rank++) expected += 1 / (sMaxAge + (rank * weights) / rate);
    expect(steady!.rendersPerSecond / expected).toBeCloseTo(1, 1);
  });

  test('without a store the other machine keeps what one has purged, until it expires', async () => {
    start({ shards: 0, sMaxAge: 20, swr: 0 });
    await fleet.phase('fill', 2, () => void (send(0, 1), send(1, 1)));
    const purge = await fleet.phase('purge', 3, () => {
      void fleet.purge(0, true);
      fleet.time.at(fleet.time.nowMs + 1000, () => void (send(0, 1), send(1, 1)), true);
    });
    expect(purge).toMatchObject({ old: 1, wrong: 0, staleSeconds: 1, rendersPerSecond: 0.3 });
    await fleet.time.runUntil(fleet.time.nowMs + 20_000);
    expect((await second([1, 1])).old).toBe(0);
  });
});

test('--help explains the options, and an unknown one is named without a stack', () => {
  const program = join(import.meta.dirname, '../../simulate/simulate.ts');
  const run = (option: string): { readonly stdout: string; readonly stderr: string } =>
    spawnSync(process.execPath, [program, option], { encoding: 'utf8' });
  expect(run('--help').stdout).toMatch(/--shards 3 +Shards of the store; 0 for no store\.\n/);
  expect(run('--machine=4').stderr).toBe("Unknown option '--machine' (--help lists all options)\n");
});

test('a rank of Zipf comes as often as its weight says', () => {
  for (const exponent of [0.8, 1, 1.2]) {
    const next = zipf(1000, exponent, randomFrom(1));
    const counts = new Float64Array(1000);
    const draws = 200_000;
    for (let at = 0; at < draws; at++) counts[next()]!++;
    let weights = 0;
    for (let rank = 1; rank <= 1000; rank++) weights += rank ** -exponent;
    for (const rank of [0, 1, 9]) {
      expect(counts[rank]! / draws).toBeCloseTo((rank + 1) ** -exponent / weights, 2);
    }
  }
});

test('each rank is another page', () => {
  const pageOf = scatter(1000);
  expect(new Set(Array.from({ length: 1000 }, (_, rank) => pageOf(rank))).size).toBe(1000);
});

test('timers run in the order of their times, and not after they are cleared', async () => {
  const real = { setTimeout, now: performance.now };
  const time = new VirtualTime(1000);
  time.install();
  const seen: string[] = [];
  const note = (name: string): void => void seen.push(`${name} ${performance.now()}`);
  try {
    setTimeout(note, 20, 'second');
    setTimeout(note, 10, 'first');
    clearTimeout(setTimeout(note, 15, 'cleared'));
    const interval = setInterval(() => {
      note('repeated');
      if (seen.length > 3) clearInterval(interval);
    }, 30);
    await time.runUntil(2000);
  } finally {
    time.uninstall();
  }
  expect(seen).toEqual(['first 1010', 'second 1020', 'repeated 1030', 'repeated 1060']);
  expect({ setTimeout, now: performance.now }).toEqual(real);
});

test.each([
  [{ seed: 1.5 }, 'seed is 1.5; allowed: a whole number from 0'],
  [{ shards: 0.5 }, 'shards is 0.5; allowed: a whole number from 0'],
  [{ phaseSeconds: 0 }, 'phaseSeconds is 0; allowed: a number above 0'],
  [{ storeMbPerSecond: 0 }, 'storeMbPerSecond is 0; allowed: a number above 0'],
  [{ pages: 1e9 }, 'pages is 1000000000; allowed: at most 100000000'],
  [{ machines: 0 }, 'machines is 0; allowed: a whole number from 1'],
  [{ prefill: 2 }, 'prefill is 2; allowed: a share from 0 to 1'],
  [{ sMaxAge: NaN }, 'sMaxAge is NaN; allowed: a number from 0'],
  [{ phases: 'steady,quake' }, 'phases has quake; allowed: steady, soft-purge'],
])('%j is refused', (given, message) => {
  expect(() => checkScenario({ ...DEFAULTS, ...given })).toThrow(message);
});

test.each([
  ['--machine 3', "Unknown option '--machine'"],
  ['--machines=', 'machines is NaN; allowed: a number from 0'],
  ['--compare --requests many', 'requests is many; allowed: a whole number from 2'],
  ['--requests 10', '--requests needs --compare'],
  ['--table --machines 3', '--table has scenarios of its own, without machines'],
  ['--json /missing/figures.json', 'ENOENT: no such file or directory'],
])('%s is refused in one line, before the simulation', (options, message) => {
  const program = join(import.meta.dirname, '../../simulate/simulate.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options.split(' ')], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
  expect(stderr).toContain(message);
});
