import { strings } from '@angular-devkit/core';
import type { SchematicContext } from '@angular-devkit/schematics';
import type { ServerOptions } from './adapter.ts';
import type { Cli } from './cli.ts';

/** The current command, as a user types it, with further options. */
export function commandWith(
  { schematic: { description } }: SchematicContext,
  cli: Cli,
  options: ServerOptions,
): string {
  const { name, collection } = description;
  return commandOf(cli, collection.name, name === 'init' ? 'ng-add' : name, options);
}

/** A command that runs a schematic. `nx add` takes no options: its generator does. */
export function commandOf(
  cli: Cli,
  packageName: string,
  schematic: string,
  options: ServerOptions,
): string {
  const isAdd = cli === 'ng' && schematic === 'ng-add';
  const program = isAdd ? `ng add ${packageName}` : `${cli} generate ${packageName}:${schematic}`;
  return [program, ...Object.entries(options).flatMap(typed)].join(' ');
}

function typed([name, value]: [string, unknown]): string[] {
  if (value === undefined || value === false) return [];
  return [`--${strings.dasherize(name)}${value === true ? '' : ` ${String(value)}`}`];
}
