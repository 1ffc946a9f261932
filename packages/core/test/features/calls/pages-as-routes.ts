import type { StoredServer } from '../../pages/stored-server.ts';

/** Has calls in process reach the pages of a server that has no other routes. */
export function usePagesAsRoutes({ handler, get }: StoredServer): void {
  handler.useRoutes(async ({ method, url, headers }) => {
    const seen = await get(url.pathname + url.search, Object.fromEntries(headers), method);
    const given = new Headers();
    for (let i = 0; i < seen.headers.length; i += 2) {
      given.append(seen.headers[i]!, seen.headers[i + 1]!);
    }
    const body = seen.body as Uint8Array<ArrayBuffer> | null;
    return { status: seen.status, statusText: '', headers: given, body };
  });
}
