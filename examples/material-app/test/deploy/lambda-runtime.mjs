/**
 * The part of Lambda's runtime that a handler meets: a process of its own, which loads the handler once and gives it
 * one event after the other. Tells with each answer how many renders are left.
 */
import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

let renders = 0;
channel('ng-ssr:queue').subscribe(({ queued, running }) => (renders = queued + running));

const { handler } = await import(pathToFileURL(join(process.cwd(), 'lambda.mjs')).href);

process.on('message', async (event) => {
  const result = await handler(event, { awsRequestId: 'id', callbackWaitsForEmptyEventLoop: true });
  process.send({ result: JSON.stringify(result), renders });
});
process.send('ready');
