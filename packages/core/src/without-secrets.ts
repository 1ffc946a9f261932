/** In names of parameters whose values may be secrets. */
const SECRET =
  /token|tkn|secret|key|sig|auth|pass|pwd|session|credential|code|jwt|otp|ticket|hash|nonce|refresh/i;
/** The same as words of a name alone: `shipping` and `estate` contain them. */
const SECRET_WORD =
  /(?:(?<![A-Za-z])(?:pin|state|access)|PIN|Pin|STATE|State|ACCESS|Access)(?![a-z])/;
/**
 * A parameter in the query, the path or the fragment of a URL or a target, which may stand in a text. Its name ends at
 * the next mark, so that the search takes a time linear in the text.
 */
const PARAMETER = /([?&;#])([^?&;=#\s]*)(?:=([^?&;#\s)\]}>]*))?/g;
/** A value may be a URL with parameters, whose values may be URLs. */
const MOST_NESTED = 4;

/** What may still be a parameter: a value, or a name that is escaped. */
const MAY_NEST = /=|%[0-7][\da-f]/i;

/** A URL, a target, or a text with some, for logs and operators: without values of parameters that may be secrets. */
export function withoutSecrets(text: string): string {
  return MAY_NEST.test(text) ? withoutNested(text, MOST_NESTED) : text;
}

function withoutNested(text: string, levels: number): string {
  let hiddenUntil = -1;
  const shown = (
    part: string,
    mark: string,
    name: string,
    value: string | undefined,
    at: number,
  ) => {
    // A secret may contain `?` and `;`.
    if (at === hiddenUntil && value === undefined && (mark === '?' || mark === ';')) {
      hiddenUntil += part.length;
      return '';
    }
    if (value !== undefined && isSecret(decoded(name))) {
      hiddenUntil = at + part.length;
      return `${mark}${name}=...`;
    }
    if (!hasNested(value ?? name, levels)) return part;
    return value === undefined ? `${mark}...` : `${mark}${name}=...`;
  };
  return text.replaceAll(PARAMETER, shown);
}

/** Whether a value has a parameter that may be a secret. One that is nested too deeply may. */
function hasNested(value: string, levels: number): boolean {
  if (!MAY_NEST.test(value)) return false;
  const nested = `?${decoded(value)}`;
  return levels === 0 || withoutNested(nested, levels - 1) !== nested;
}

function isSecret(name: string): boolean {
  return SECRET.test(name) || SECRET_WORD.test(name);
}

/** Without escapes of ASCII, as which marks and names may be written. Malformed escapes stay. */
function decoded(text: string): string {
  return text.replace(/%([0-7][\da-f])/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
