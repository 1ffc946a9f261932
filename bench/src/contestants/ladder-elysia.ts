/** The last step of the ladder: Elysia and CommonEngine on Bun. */
import { Elysia } from 'elysia';
import { renderPage, sayListening } from './article-page.ts';

const app = new Elysia().get('/*', async ({ request }) => {
  const { host, pathname } = new URL(request.url);
  const html = await renderPage(host, pathname);
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
});
app.listen({ port: 0, hostname: '127.0.0.1' }, ({ port }) => sayListening(port!));
