import { DELIBERATE_404, fixtureEffect, FORM_ANSWER } from '@ng-ssr/conformance/child';
import type { FetchSsrHandler } from '@ng-ssr/fetch/server';

/** The halves of a handler, on Node or elsewhere. */
type Halves = Pick<FetchSsrHandler, 'answer' | 'render' | 'answered'>;

/** The suite's middleware and routes for a plain function of a Request. */
export function createBareApp(ssr: Halves) {
  return async (request: Request, ...rest: readonly unknown[]): Promise<Response> => {
    const { headers, status, body } = fixtureEffect(request.headers.get('x-fixture') ?? undefined);
    if (body !== undefined) return new Response(body, { status: status ?? 200 });
    const earlier = {
      status,
      headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    };
    const held = ssr.answer(request, earlier);
    if (held !== undefined) return held;
    const response = await route(request, earlier.headers);
    if (response === undefined) return ssr.render(request, earlier, ...rest);
    ssr.answered(request, response);
    return withoutContent(request, response);
  };
}

function withoutContent({ method }: Request, response: Response): Response {
  return method === 'HEAD' ? new Response(null, response) : response;
}

async function route(request: Request, headers: Headers): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  switch (`${request.method === 'HEAD' ? 'GET' : request.method} ${pathname}`) {
    case 'GET /api/time':
      return Response.json({ now: Date.now() }, { headers });
    case 'POST /api/echo':
      return new Response(await request.text(), { headers });
    case 'GET /api/missing':
      return new Response(DELIBERATE_404, { status: 404, headers });
    case 'POST /form':
      return new Response(FORM_ANSWER, { headers });
    default:
      return undefined;
  }
}
