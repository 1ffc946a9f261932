/** Names of query parameters whose values may be secrets. */
const SECRET = /token|secret|key|sig|auth|pass|pwd|session|credential|code|jwt|otp/i;
const MOST_CHARACTERS = 500;

/** A URL for logs and events: values of query parameters that may be secrets are left out. */
export function shownUrl(url: URL): string {
  const address = url.origin + url.pathname;
  if (url.search === '') return shortened(address);
  const query = url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      const name = at === -1 ? pair : pair.slice(0, at);
      return at !== -1 && SECRET.test(decoded(name)) ? `${name}=...` : pair;
    });
  return shortened(`${address}?${query.join('&')}`);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}
