/** Packages that have the version of the core, whose peers they are. */
const FRAMEWORK = [
  ...['common', 'compiler', 'compiler-cli', 'core', 'forms', 'localize', 'platform-browser'],
  ...['platform-server', 'router'],
];
/** Packages of the CLI, and those of Material: both have patches of their own. */
const CLI = ['build', 'cli', 'ssr'];
const MATERIAL = ['cdk', 'material'];

/** Where npm has no package of the core's patch, or a newer one: the first, or the last, of the same minor. */
const OTHERS = {
  '21.2.24': { material: '21.2.14' },
  '22.0.8': { cli: '22.0.9', material: '22.0.7' },
  '22.1.0': { cli: '22.1.2' },
  '22.1.8': { cli: '22.1.9' },
};

/** What the majors of Angular need beside their own packages. */
const BESIDE = {
  21: { typescript: '~5.9.0', 'zone.js': '~0.15.0' },
  22: { typescript: '~6.0.0', 'zone.js': '~0.16.0' },
};

/** The packages of a gallery on a version of Angular, which install together, and their versions. */
export function packagesOf(version) {
  const [major] = version.split('.');
  const { cli = version, material = version } = OTHERS[version] ?? {};
  const isKnown = major in BESIDE;
  // Prereleases of the packages have numbers of their own.
  const all = (names, of) =>
    names.map((name) => [`@angular/${name}`, isKnown ? of : `^${major}.0.0-0`]);
  return {
    ...Object.fromEntries([
      ...all(FRAMEWORK, version),
      ...all(CLI, cli),
      ...all(MATERIAL, material),
    ]),
    '@types/express': '^5.0.1',
    '@types/node': '^24.0.0',
    express: '^5.1.0',
    rxjs: '~7.8.0',
    tslib: '^2.8.0',
    ...(isKnown ? BESIDE[major] : { typescript: '*', 'zone.js': '*' }),
  };
}
