/** The name in the cookie `user`, which the page /account sets; empty without one. */
export function userOf(cookies: string | null | undefined): string {
  const value = /(?:^|;\s*)user=([^;]*)/.exec(cookies ?? '')?.[1] ?? '';
  try {
    return decodeURIComponent(value).slice(0, 40);
  } catch {
    return '';
  }
}
