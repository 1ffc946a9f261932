import { wrongArguments } from '../wrong-arguments.ts';

/** RFC 9110 section 5.1. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/;

/**
 * Request fields, as written for curl: `Name: value`. Several lines of one field are joined (RFC 9110 section 5.3).
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readFields(written: readonly string[]): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const line of written) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw wrongArguments(`--header is ${JSON.stringify(line)}; allowed: "Name: value"`);
    }
    const key = name.toLowerCase();
    fields[key] = fields[key] === undefined ? value : `${fields[key]}, ${value}`;
  }
  return fields;
}
