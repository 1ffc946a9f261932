/** Names of query parameters whose values may be secrets. */
const SECRET = /token|secret|key|sig|auth|pass|pwd|session|credential|code|jwt|otp/i;
/** A parameter in the query of a URL or a target, which may stand in a text. */
const PARAMETER = /([?&])([^?&=#\s]*)=[^&#\s]*/g;

/** A URL, a target, or a text with some, for logs and operators: without values of parameters that may be secrets. */
export function withoutSecrets(text: string): string {
  if (!text.includes('=')) return text;
  return text.replaceAll(PARAMETER, (pair: string, mark: string, name: string) =>
    SECRET.test(decoded(name)) ? `${mark}${name}=...` : pair,
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
