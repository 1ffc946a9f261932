import { wrongArguments } from '../wrong-arguments.ts';

/** RFC 9110 section 5.1. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/;

/**
 * Request headers, as written for curl: `Name: value`. Several lines of one header are joined (RFC 9110 section 5.3).
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`
 */
export function readHeaders(written: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of written) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw wrongArguments(`--header is ${JSON.stringify(line)}; allowed: "Name: value"`);
    }
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}
