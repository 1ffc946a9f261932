import { SsrError } from '../errors.ts';

/** Options that have become features: by their former name in full, the call that takes their place. */
const FORMER_OPTIONS: Readonly<Record<string, string>> = {
  inspector: "withInspector({ path: '/_ops', token })",
  earlyHints: 'withEarlyHints()',
  speculationRules: 'withSpeculationRules()',
};

/**
 * Refuses an option that has become a feature.
 *
 * @param known - Names of options.
 * @param group - The option that they belong to. Default: none.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, with the line to write in its place.
 */
export function refuseFormerOptions(
  options: object,
  known: readonly string[],
  group?: string,
): void {
  const name = Object.keys(options)
    .filter((each) => !known.includes(each))
    .map((each) => (group === undefined ? each : `${group}.${each}`))
    .find((each) => Object.hasOwn(FORMER_OPTIONS, each));
  if (name === undefined) return;
  const call = FORMER_OPTIONS[name]!;
  const [imported] = call.split('(', 1);
  const line = `write features: [${call}], and import ${imported} from the package of your adapter`;
  throw new SsrError('NG_SSR_OPTION_UNKNOWN', `the option ${name} is a feature: ${line}`);
}
