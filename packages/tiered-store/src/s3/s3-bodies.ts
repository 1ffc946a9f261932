import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { BodyStore } from '../body-store.ts';
import {
  type ResolvedS3Options,
  resolveS3Options,
  type S3BodiesOptions,
  type S3Credentials,
} from './s3-options.ts';

/** The most that is read of an error. */
const MOST_ERROR_BYTES = 4096;
/** There is one for each day. */
const MOST_SIGNING_KEYS = 2;
/** As it is when this module is loaded: renders have one of their own. */
const { fetch } = globalThis;

/**
 * Bodies of pages in a bucket of S3, R2, Google Cloud Storage (with HMAC keys), MinIO and others, for `tieredPageStore()`.
 * Give the bucket a lifecycle rule that deletes objects after eight days: pages are stored for seven days at most.
 *
 * @param options - Times in milliseconds.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * bodies: [s3Bodies({ endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'shop-pages' })]
 * ```
 */
export function s3Bodies(options: S3BodiesOptions): BodyStore {
  return new S3Bodies(resolveS3Options(options));
}

class S3Bodies implements BodyStore {
  readonly name: string;
  readonly timeoutMs: number;
  readonly #options: ResolvedS3Options;
  readonly #baseUrl: string;
  /** Signing keys of a day, by their parts: deriving one takes four hashes. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  #keys: S3Credentials | undefined;
  #client: AwsClient | undefined;

  constructor(options: ResolvedS3Options) {
    const { endpoint, bucket, prefix, timeoutMs } = options;
    this.#options = options;
    this.#baseUrl = `${endpoint}/${bucket}/${prefix}`;
    this.name = `in the bucket ${endpoint}/${bucket}`;
    this.timeoutMs = timeoutMs;
  }

  async get(name: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const response = await this.#send(name, { method: 'GET', signal });
    if (response.ok) return readUpTo(response, maxBytes);
    const code = await codeOf(response);
    if (response.status === 404 && code !== 'NoSuchBucket') return undefined;
    throw refusal('GET', response.status, code);
  }

  async put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    // The service refuses what has been damaged on its way.
    const digest = createHash('sha256').update(bytes).digest('hex');
    const headers = { 'x-amz-content-sha256': digest, 'content-type': 'application/octet-stream' };
    // A copy of its type: a body may be in shared memory, which fetch refuses.
    const body = new Uint8Array(bytes);
    const response = await this.#send(name, { method: 'PUT', headers, body, signal });
    const code = await codeOf(response);
    if (!response.ok) throw refusal('PUT', response.status, code);
  }

  async #send(
    name: string,
    init: RequestInit & { readonly signal: AbortSignal },
  ): Promise<Response> {
    const { body, ...rest } = init;
    const client = this.#clientFor(await unlessAborted(this.#options.credentials(), init.signal));
    // aws4fetch signs what stands in the header, and reads no body.
    const signed = await client.sign(this.#baseUrl + name, { ...rest, body: body ?? null });
    return fetch(signed, { redirect: 'manual' });
  }

  #clientFor(keys: S3Credentials): AwsClient {
    if (this.#signingKeys.size > MOST_SIGNING_KEYS) this.#signingKeys.clear();
    if (this.#client !== undefined && isSame(keys, this.#keys)) return this.#client;
    this.#signingKeys.clear();
    const { accessKeyId, secretAccessKey, sessionToken } = keys;
    const { region } = this.#options;
    this.#keys = keys;
    return (this.#client = new AwsClient({
      ...{ accessKeyId, secretAccessKey, service: 's3', cache: this.#signingKeys, retries: 0 },
      ...(sessionToken !== undefined && { sessionToken }),
      ...(region !== undefined && { region }),
    }));
  }
}

/** The keys, unless they are late: a function that hangs would otherwise count as a call that is never over. */
async function unlessAborted(
  keys: Promise<S3Credentials>,
  signal: AbortSignal,
): Promise<S3Credentials> {
  let end: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason as Error);
    signal.addEventListener('abort', end);
  });
  try {
    if (signal.aborted) end!();
    return await Promise.race([keys, aborted]);
  } finally {
    signal.removeEventListener('abort', end!);
  }
}

function isSame(one: S3Credentials, other: S3Credentials | undefined): boolean {
  return (
    one.accessKeyId === other?.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken
  );
}

/** The content of a response; undefined if it is longer. */
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop ends the response.
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The code in an error, such as AccessDenied. The message beside it may contain the key and what was signed. */
async function codeOf(response: Response): Promise<string | undefined> {
  const bytes = await readUpTo(response, MOST_ERROR_BYTES);
  const text = Buffer.from(bytes ?? []).toString();
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];
}

function refusal(method: string, status: number, code: string | undefined): Error {
  const shown = code === undefined ? `${status}` : `${status} ${code}`;
  // S3 says so of a missing object too, to those who may not list the bucket.
  const isDenied =
    method === 'GET' && status === 403 && (code ?? 'AccessDenied') === 'AccessDenied';
  const advice = isDenied ? ': the keys need s3:GetObject, s3:PutObject and s3:ListBucket' : '';
  return new Error(`it responds to ${method} with ${shown}${advice}`);
}
