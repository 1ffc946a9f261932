import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Of each kind of command: how often it was run, and the seconds that this took, all together; servers have CPU alone. */
const kinds = new Map();
/** The rest of a command says which package, path or application: `ng add`, `npm ci`, `nx g`. */
const WORDS = { ng: 2, nx: 2, npm: 2, pnpm: 3, yarn: 3 };

/** The processor time of the children that have ended, at the last look. */
let cpuBefore = 0;

/** Counts a run of a command. */
export function countRun(command, args, seconds) {
  const kind = kindOf(command, args);
  kind.runs++;
  kind.seconds += seconds;
}

/** Counts the processor time of a command, which has ended just now: the system adds it to ours then. */
export function countCpu(command, args) {
  const cpu = cpuSeconds() ?? 0;
  kindOf(command, args).cpu += cpu - cpuBefore;
  cpuBefore = cpu;
}

function kindOf(command, args) {
  const program = basename(command);
  const words = [program, ...args.filter((word) => !word.startsWith('-'))];
  const kind = words.slice(0, WORDS[program] ?? 1).join(' ');
  if (!kinds.has(kind)) kinds.set(kind, { runs: 0, seconds: 0, cpu: 0 });
  return kinds.get(kind);
}

/** Where the time went, longest first: what to look at before a check is added. */
export function describeTime() {
  const rows = [...kinds].toSorted(([, a], [, b]) => b.cpu - a.cpu || b.seconds - a.seconds);
  const lines = rows.map(
    ([kind, { runs, seconds, cpu }]) =>
      `${String(runs).padStart(5)} × ${kind.padEnd(32)} ${seconds.toFixed(0).padStart(6)} s, CPU ${cpu.toFixed(0).padStart(5)} s`,
  );
  const cpu = cpuSeconds();
  if (cpu !== undefined) lines.push(`CPU of all of them: ${cpu.toFixed(0)} s`);
  return lines.join('\n');
}

/** The processor time of the children that have ended and of theirs, on Linux; in ticks of 10 ms there. */
function cpuSeconds() {
  const path = '/proc/self/stat';
  if (!existsSync(path)) return undefined;
  const fields = readFileSync(path, 'utf8').split(') ')[1].split(' ');
  // From the third on, as in proc(5): cutime is the sixteenth, cstime the one after it.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
