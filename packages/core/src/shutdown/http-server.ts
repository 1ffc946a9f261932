import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

/** An HTTP/1.1 server. */
export type HttpServer = Server | HttpsServer;
