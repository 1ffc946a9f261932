import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveOldBuilds } from '../../packages/core/src/features/old-builds/old-builds-options.ts';
import { resolvePrewarmOptions } from '../../packages/core/src/features/prewarm/prewarm-options.ts';
import { resolveRenderThreads } from '../../packages/core/src/features/render-threads/render-threads-options.ts';
import { resolveOptions } from '../../packages/core/src/handler/options.ts';

/** The defaults that docs/options.md states as a value, by the name of the option. */
const stated = new Map(
  readFileSync(join(import.meta.dirname, '../../docs/options.md'), 'utf8')
    .split(/^(?=#{2,4} )/m)
    .flatMap((entry) => {
      const [, name] = /^#{3,4} .*`(?:with\w+\.)?([\w.]+)`\n/.exec(entry) ?? [];
      const [, standard] = /^`[^`]+`, default (.*)$/m.exec(entry) ?? [];
      const value = standard === undefined ? undefined : valueOf(standard);
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    })
    // The first section, of servers on Node, counts.
    .reverse(),
);

/** Groups that a server has only if they are given: what makes their other options take their defaults. */
const GIVEN = {
  probes: { ready: { path: '/readyz' } },
  render: { bots: {} },
};

test('the defaults that the documentation states are those of the options', () => {
  const options = { engine: () => null, files: { folder: import.meta.dirname }, ...GIVEN };
  const resolved: unknown = {
    ...resolveOptions(options),
    // Sections of features name their options alone.
    ...resolvePrewarmOptions({ paths: ['/'], origin: 'https://shop.example' }),
    ...resolveRenderThreads({}),
    ...resolveOldBuilds({ folder: '/var/lib/shop/builds' }, undefined),
  };
  const compared = [...stated].flatMap(([name, value]) => {
    const actual = name
      .split('.')
      .reduce<unknown>(
        (part, member) => (Object(part) as Record<string, unknown>)[member],
        resolved,
      );
    // Options of adapters and of rules are not among them, and threads are resolved to a range.
    return actual === undefined || typeof actual === 'object' ? [] : [{ name, value, actual }];
  });
  expect(compared.filter(({ value, actual }) => value !== actual)).toEqual([]);
  expect(compared.length).toBeGreaterThan(15);
});

/** A number, perhaps with a unit of bytes, or true or false; undefined for words. */
function valueOf(text: string): number | boolean | undefined {
  if (/^`?(true|false)`?$/.test(text)) return text.includes('true');
  const [, number, unit] = /^([\d,. ]+?)(?: (KiB|MiB))?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return Number(number.replace(/[, ]/g, '')) * { KiB: 1024, MiB: 1024 ** 2, '': 1 }[unit ?? '']!;
}
