import { fileURLToPath } from 'node:url';

/** The Fastify server of the build: run `npm run build` first. */
export async function main() {
  const { server } = await import('./dist/server/server.mjs');
  await server.ready();
  return server.app;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const app = await main();
  await app.listen({ port: 3000 });
}
