/** What is simulated. Every member can be set on the command line, in words with hyphens; `--help` shows these comments. */
export interface Scenario {
  /** Another number gives other visits of the same kind. */
  readonly seed: number;
  readonly machines: number;
  /** Cores of a machine that render. */
  readonly cores: number;
  /** The time of a core for a page. */
  readonly renderMs: number;
  /** `cache.maxBytes` of each machine. */
  readonly memoryMib: number;
  readonly pages: number;
  readonly pageKb: number;
  /** How far pages are shorter and longer than that, as a share. */
  readonly pageSpread: number;
  /** How many bytes of a page the store keeps, as a share: pages are in Brotli there. */
  readonly brotliShare: number;
  /** The exponent of the pages' popularity; 0 if all are equal. */
  readonly zipf: number;
  /** Of all machines. */
  readonly requestsPerSecond: number;
  /** The share of requests with a cookie that selects another variant. */
  readonly varyShare: number;
  /** How many variants such cookies select. */
  readonly variants: number;
  /** `sMaxAge` of the rule, in seconds. */
  readonly sMaxAge: number;
  /** `staleWhileRevalidate` of the rule, in seconds. */
  readonly swr: number;
  /** Shards of the store; 0 for no store. */
  readonly shards: number;
  /** The share of the pages of a store after days of traffic that it has at the beginning. */
  readonly prefill: number;
  /** The round trip to the store. */
  readonly storeRttMs: number;
  /** Of each shard. */
  readonly storeMbPerSecond: number;
  /** The share of messages about purges that do not arrive. */
  readonly lostMessages: number;
  /** How many pages the purged tag has. */
  readonly tagPages: number;
  /** Traffic before the other phases. */
  readonly warmUpSeconds: number;
  /** How long each phase takes. */
  readonly phaseSeconds: number;
  /** In how many seconds all machines get a new build. */
  readonly deploySeconds: number;
  /** How long a machine is away that starts again. */
  readonly restartSeconds: number;
  /** Which phases run, and in which order. */
  readonly phases: string;
}

export const DEFAULTS: Scenario = {
  ...{ seed: 1, machines: 4, cores: 4, renderMs: 50, memoryMib: 256 },
  ...{ pages: 100_000, pageKb: 90, pageSpread: 0.5, brotliShare: 0.15 },
  ...{ zipf: 1, requestsPerSecond: 400 },
  ...{ varyShare: 0, variants: 1, sMaxAge: 3600, swr: 86_400 },
  ...{ shards: 3, prefill: 1, storeRttMs: 1, storeMbPerSecond: 1000, lostMessages: 0.01 },
  ...{ tagPages: 100_000, warmUpSeconds: 300, phaseSeconds: 60 },
  ...{ deploySeconds: 20, restartSeconds: 5 },
  phases: 'steady,soft-purge,hard-purge,shard-lost,restarts,deploy',
};

export const PHASES: readonly string[] = DEFAULTS.phases.split(',');

const POSITIVE = [
  ...(['requestsPerSecond', 'memoryMib', 'storeMbPerSecond'] as const),
  ...(['warmUpSeconds', 'phaseSeconds'] as const),
];

/** Numbers of pages are multiplied with each other, and the bytes of pages exist. */
const MOST = [
  ['pages', 100_000_000],
  ['pageKb', 100_000],
] as const;

/** What must be true of a scenario, so that its result means something. */
export function checkScenario(scenario: Scenario): void {
  for (const [name, value] of Object.entries(scenario)) {
    const isValid = typeof value === 'string' || (Number.isFinite(value) && value >= 0);
    if (!isValid) throw new RangeError(`${name} is ${value}; allowed: a number from 0`);
  }
  for (const name of ['seed', 'shards'] as const) checkWhole(scenario, name, 0);
  for (const name of ['machines', 'cores', 'pages', 'variants', 'tagPages'] as const)
    checkWhole(scenario, name, 1);
  for (const name of POSITIVE)
    if (scenario[name] === 0) throw new RangeError(`${name} is 0; allowed: a number above 0`);
  for (const [name, most] of MOST)
    if (scenario[name] > most)
      throw new RangeError(`${name} is ${scenario[name]}; allowed: at most ${most}`);
  for (const name of ['varyShare', 'pageSpread', 'brotliShare', 'prefill', 'lostMessages'] as const)
    if (scenario[name] > 1)
      throw new RangeError(`${name} is ${scenario[name]}; allowed: a share from 0 to 1`);
  const unknown = phasesOf(scenario).find((name) => !PHASES.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`phases has ${unknown}; allowed: ${PHASES.join(', ')}`);
}

function checkWhole(scenario: Scenario, name: keyof Scenario, least: number): void {
  const value = scenario[name];
  if (!Number.isSafeInteger(value) || Number(value) < least)
    throw new RangeError(`${name} is ${value}; allowed: a whole number from ${least}`);
}

/** Those that a scenario names; phases about a store need one. */
export function phasesOf({ phases, shards }: Scenario): readonly string[] {
  const named = phases.split(',').filter((name) => name !== '');
  return shards > 0 ? named : named.filter((name) => name !== 'shard-lost');
}
