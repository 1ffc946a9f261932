/**
 * The benchmark: npm run bench [-- --quick] [-- --only <pattern>] [-- --list] [-- --check]
 *
 *   --list            name the scenarios; with --quick or --only, those that would run
 *   --only <pattern>  run the scenarios whose name matches this regular expression
 *   --keep            with --only: put the rows into the newest results of this machine, with their date, or begin them
 *   --quick           two minutes; says at its end what it has left out
 *   --rounds <n>      3, with --quick 1
 *   --seconds <s>     of a round: 0.7, with --quick 0.35
 *   --check           compare the newest results of this machine with goals.json
 *   --report          make charts and report again from the newest results of this machine
 */
import { programOptions } from '../../tools/program-options.ts';
import { prepareBuilds } from './contestants/catalogue.ts';
import { separateCores } from './measure/cores.ts';
import { RemainingTime, toDuration } from './measure/remaining-time.ts';
import type { Row } from './measure/row.ts';
import { type Effort, Session } from './measure/session.ts';
import { checkGoals, readGoals } from './report/goals.ts';
import { describeRun, putInto, readNewest, writeResults } from './report/results.ts';
import { show, toTable, toText } from './report/table.ts';
import { writeReport } from './report/write-report.ts';
import { chooseScenarios, describeLeftOut, QuickTime } from './scenarios/choose.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';

const values = programOptions(import.meta.url, {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  keep: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  report: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
});

/** Of a scenario with three rounds of 0.7 s, on the mean: all together take a quarter of an hour. */
const SCENARIO_MS = 900_000 / scenarios.length;

if (values.list) list();
else if (values.check) check();
else if (values.report) await report();
else await measure();

function list(): void {
  const choice = chooseScenarios(scenarios, { only: values.only, isQuick: values.quick });
  for (const { name, title } of choice.chosen) console.log(`${name.padEnd(20)} ${title}`);
  if (values.quick && values.only === undefined)
    console.log(`\n${describeLeftOut(choice, []).join('\n')}`);
}

function check(): void {
  const newest = readNewest();
  if (newest === undefined) throw new Error('no results of this machine: run "npm run bench"');
  const outcomes = checkGoals(readGoals(), newest);
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  for (const { name, measured, bound, verdict } of outcomes) {
    const number = measured === undefined ? '-' : measured.toFixed(3);
    console.log(`${name.padEnd(width)}  ${number.padStart(7)}  ${bound.padStart(9)}  ${verdict}`);
  }
  const count = (wanted: string): number =>
    outcomes.filter(({ verdict }) => verdict === wanted).length;
  console.log(
    `${count('met')} met, ${count('missed')} missed, ${count('not measured')} not measured; ` +
      `results of ${newest.date}, commit ${newest.commit}${newest.isQuick ? ', quick' : ''}`,
  );
  if (count('missed') > 0) process.exitCode = 1;
}

async function report(): Promise<void> {
  const newest = readNewest();
  if (newest === undefined) throw new Error('no results of this machine: run "npm run bench"');
  console.log(await writeReport(newest, scenarios));
}

async function measure(): Promise<void> {
  const start = performance.now();
  await prepareBuilds();
  const isShort = values.quick && values.only === undefined;
  const choice = chooseScenarios(scenarios, { only: values.only, isQuick: values.quick });
  const { chosen } = choice;
  if (chosen.length === 0)
    throw new Error(`--only is "${values.only}" and matches no scenario: --list shows all`);
  const effort: Effort = {
    rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    seconds: Number(values.seconds ?? (values.quick ? 0.35 : 0.7)),
    isQuick: values.quick,
  };
  const cores = separateCores();
  const announcedMs = isShort
    ? chosen.reduce((sum, { quick }) => sum + quick!.seconds * 1000, 0)
    : chosen.length * SCENARIO_MS * ((effort.rounds * effort.seconds) / (3 * 0.7));
  const time = new RemainingTime(chosen.length, announcedMs);
  console.log(`${chosen.length} scenarios, about ${toDuration(announcedMs)}`);
  let scenarioName = '';
  let done = 0;
  const session = new Session(effort, cores, (text) => {
    process.stderr.write(
      `\r\u001b[K${done + 1}/${chosen.length}, ${time}; ${scenarioName}: ${text} `,
    );
  });

  const rows: Row[] = [];
  const quickTime = new QuickTime(start);
  const late: Scenario[] = [];
  for (const scenario of chosen) {
    if (isShort && !quickTime.hasTimeFor(scenario)) {
      late.push(scenario);
      done++;
      time.step();
      continue;
    }
    scenarioName = scenario.name;
    const found = await scenario.run(session);
    done++;
    time.step();
    rows.push(...found);
    process.stderr.write('\r\u001b[K');
    console.log(`\n${scenario.name}: ${scenario.title}\n${toText(toTable(found))}`);
  }
  let run = describeRun(rows, effort, cores.description);
  const newest = readNewest();
  if (values.only !== undefined) {
    if (!values.keep) {
      console.log('\nNothing is written: --keep merges these rows into the newest results.');
      return;
    }
    run = newest === undefined ? { ...run, isPart: true } : putInto(newest, run);
  }
  console.log(`\n${writeResults(run)}\n${await writeReport(run, scenarios)}`);
  const seconds = (performance.now() - start) / 1000;
  console.log(`${show(seconds / 60)} minutes, ${rows.length} rows, ${cores.description}`);
  if (isShort) console.log(describeLeftOut(choice, late).join('\n'));
}
