import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SsrError } from '@ng-ssr/node/server';
import { MISTAKES } from './mistakes.ts';

/** Accepts changed messages: `npx vitest run --project node mistakes -u`. */
const GOLDEN = join(import.meta.dirname, 'golden/mistakes.txt');

async function errorsOf(make: () => unknown): Promise<readonly SsrError[]> {
  try {
    return (await make()) as readonly SsrError[];
  } catch (error) {
    return [error as SsrError];
  }
}

/** Without what depends on the machine. */
function show({ code, message }: SsrError): string {
  return `${code}: ${message}`.replace(
    /to \d+ on this machine \(\d+ /,
    'to <most> on this machine (<n> ',
  );
}

test('each common mistake has one message of one line, which says how to fix it', async () => {
  const lines: string[] = [];
  for (const [mistake, make] of Object.entries(MISTAKES)) {
    const errors = await errorsOf(make);
    expect(errors, mistake).toEqual([expect.any(SsrError)]);
    const text = show(errors[0]!);
    expect(text, mistake).not.toContain('\n');
    lines.push(`${mistake}\n    ${text}\n`);
  }
  expect(lines.length).toBeGreaterThanOrEqual(32);
  await expect(lines.join('\n')).toMatchFileSnapshot(GOLDEN);
});
