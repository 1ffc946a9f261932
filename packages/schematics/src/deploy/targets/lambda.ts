import type { Deployment, DeployTarget } from '../deployment.ts';
import { scriptSpecifier } from '../quoting.ts';

export const lambda: DeployTarget = {
  title: 'AWS Lambda',
  page: 'lambda.md',
  files: (deployment) => ({ 'lambda.mjs': lambdaHandler(deployment) }),
  steps: ({ isFetch, packages, build, output }) => [
    `${packages.add} ${isFetch ? 'hono' : 'serverless-http'}`,
    `${build}, then deploy lambda.mjs, ${output} and node_modules, with the handler lambda.handler.`,
    'With your own domain, or behind a load balancer, set NG_ALLOWED_HOSTS=your.host.',
  ],
};

/** A handler for function URLs, API Gateway and load balancers. */
export function lambdaHandler({ isFetch, server }: Deployment): string {
  const [library, answer] = isFetch
    ? [
        `import { handle } from 'hono/aws-lambda';`,
        `handle({ fetch: reqHandler }, { isContentTypeBinary: () => true })`,
      ]
    : [
        `import serverless from 'serverless-http';`,
        `serverless(reqHandler, { provider: 'aws', binary: true })`,
      ];
  return `import { channel } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
${library}

process.env.NODE_ENV ??= 'production';
// AWS routes by host: requests for other hosts do not reach the function.
const region = process.env.AWS_REGION;
process.env.NG_ALLOWED_HOSTS ??= \`*.lambda-url.\${region}.on.aws,*.execute-api.\${region}.amazonaws.com\`;
const { reqHandler } = await import(${scriptSpecifier(`./${server}`)});

// Send every body in Base64: the library treats gzip and Brotli as binary, but not Zstandard.
const answer = ${answer};

let renders = 0;
let whenIdle = Promise.withResolvers();
channel('ng-ssr:queue').subscribe(({ queued, running }) => {
  renders = queued + running;
  if (renders === 0) {
    whenIdle.resolve();
    whenIdle = Promise.withResolvers();
  }
});

export async function handler(event, context) {
  const result = await answer(event, context);
  // Lambda freezes the process after the response, so refreshes of stale pages must finish first.
  await setImmediate();
  while (renders > 0) await whenIdle.promise;
  return result;
}
`;
}
