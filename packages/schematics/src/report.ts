import { isJsonObject } from '@angular-devkit/core';
import type { Adapter, Framework } from './adapter.ts';
import type { EngineName } from './engine-name.ts';
import type { Place } from './place.ts';
import type { Project } from './project.ts';
import { builtServer } from './serve-command.ts';

/** The final output: a line on the changes, and the steps that are left. */
export class Report {
  readonly #done: string[] = [];
  readonly #notes: string[] = [];
  readonly #adapter: Adapter;
  readonly #framework: Framework;
  readonly #engine: EngineName;
  readonly #place: Place;
  #project: Project;
  #packCommand: string | undefined;
  /** Whether the packages in package.json have changed. */
  needsInstall = false;

  constructor(
    adapter: Adapter,
    framework: Framework,
    project: Project,
    engine: EngineName,
    place: Place,
  ) {
    this.#adapter = adapter;
    this.#framework = framework;
    this.#project = project;
    this.#engine = engine;
    this.#place = place;
  }

  did(what: string): void {
    this.#done.push(what);
  }

  /** @param note - A sentence for the user. */
  notes(note: string): void {
    this.#notes.push(note);
  }

  /** @param changes - The changes to package.json, a phrase each. */
  changedPackages(changes: readonly string[]): void {
    for (const change of changes) {
      this.needsInstall = true;
      this.did(change);
    }
  }

  removed(packages: readonly string[]): void {
    if (packages.length === 0) return;
    this.needsInstall = true;
    this.did(`removed ${packages.join(', ')}, which nothing else used`);
  }

  /** @param isScript - Whether it was made the script behind each build; undefined if there is one already. */
  packs(command: string, isScript: boolean | undefined): void {
    if (isScript === true) this.did(`added the script postbuild, "${command}"`);
    else if (isScript === false) this.#packCommand = command;
  }

  /** The project after all changes. */
  settle(project: Project): void {
    this.#project = project;
  }

  /**
   * @param install - The line on the installation of packages, if there is one.
   * @param isSkipped - Whether that is left to the user. Else it runs after these lines: the last one mentions it, since
   * it may fail.
   */
  lines(install: string | undefined, isSkipped: boolean): string[] {
    const { packageName, name } = this.#adapter;
    const subject = `${packageName}: "${this.#project.name}"`;
    if (this.#done.length === 0) {
      return [
        `${subject} is already set up for ${this.#framework.title}; nothing was changed.`,
        ...(install === undefined ? [] : [install]),
      ];
    }
    const engine = this.#engine === 'app' ? 'the app engine' : 'CommonEngine';
    const { cli, isOneOfSeveral } = this.#project;
    const isNamed = isOneOfSeveral || cli === 'nx';
    // Nx takes only one configuration.
    const besides = cli === 'nx' ? name : `production,${name}`;
    const configuration = this.#place.isBeside ? ` --configuration ${besides}` : '';
    const build = `${cli} build${isNamed ? ` ${this.#project.name}` : ''}${configuration}`;
    const server = builtServer(this.#project, this.#engine);
    return [
      install === undefined
        ? `${subject} is set up for ${this.#framework.title} with ${engine}.`
        : `${subject} is configured for ${this.#framework.title} with ${engine}; its packages are not installed yet.`,
      `  Changed: ${this.#done.join('; ')}.`,
      ...(install !== undefined && isSkipped ? [install] : []),
      ...this.#notes.map((note) => `  Note: ${note}`),
      ...this.#formatLines(),
      `  Try it: ${build} && node ${server}`,
      ...this.#localeLines(),
      ...this.#packLines(),
      `  In production: set NG_ALLOWED_HOSTS=your.host${this.#hostsInAngularJson()} and NODE_ENV=production.`,
      ...(install !== undefined && !isSkipped ? [install] : []),
    ];
  }

  #formatLines(): string[] {
    if (!this.#project.staysUnformatted || !this.#place.isWritten) return [];
    return [`  Format it: nx format:write --projects ${this.#project.name}`];
  }

  #packLines(): string[] {
    if (this.#packCommand === undefined) return [];
    return [
      `  After each build: npx ${this.#packCommand} (compresses its files once, for all servers).`,
    ];
  }

  #localeLines(): string[] {
    const { locales } = this.#project;
    if (this.#engine !== 'common' || locales.length < 2) return [];
    const codes = locales.map(({ code }) => code).join(', ');
    return [
      `  CommonEngine builds have a server for each locale: ${codes}.`,
      '  For one server with all locales: commonEngine({ bootstrap, allLocales: true }) in src/server.ts.',
    ];
  }

  #hostsInAngularJson(): string {
    const { security } = this.#project.build;
    const hosts = isJsonObject(security ?? null)
      ? (security as { allowedHosts?: unknown }).allowedHosts
      : undefined;
    const isSet = this.#engine === 'app' && Array.isArray(hosts) && hosts.length > 0;
    return isSet
      ? ` (${this.#project.cli === 'nx' ? 'project.json' : 'angular.json'} has ${hosts.join(', ')})`
      : '';
  }
}
