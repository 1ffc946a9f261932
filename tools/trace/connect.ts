import { Client } from './client.ts';
import type { Recording } from './recording.ts';

/** Each connection is as likely to be one of the server thread's as of the main thread's. */
const MOST_CONNECTIONS = 60;

/** A client whose connection a server thread has accepted. */
export async function connectToThread(port: number, thread: Recording): Promise<Client> {
  for (let count = 0; count < MOST_CONNECTIONS; count++) {
    const client = new Client(port);
    await thread.start();
    await client.send({ target: '/' });
    const steps = await thread.stop();
    // The thread also gets messages about requests of the other one.
    if (steps.some(({ file }) => file === 'node/adapter/request-listener')) return client;
    client.close();
  }
  throw new Error(`${MOST_CONNECTIONS} connections were all accepted by the main thread`);
}
