import { check, group, option, type Option, wholeNumber, withDefault } from '@ng-ssr/core/store';

/** Options of `s3Bodies()`. */
export interface S3BodiesOptions {
  /**
   * The URL of the service, without the bucket: `https://s3.eu-central-1.amazonaws.com`,
   * `https://ACCOUNT.r2.cloudflarestorage.com`, `https://storage.googleapis.com`.
   */
  readonly endpoint: string;
  /** The bucket. Its lifecycle rule should delete objects after eight days. */
  readonly bucket: string;
  /** The region. Default: that of the endpoint, else `us-east-1`. */
  readonly region?: string | undefined;
  /** Prefix of all objects. Default: `ng-ssr/`. */
  readonly prefix?: string | undefined;
  /** The identifier of the key. Default: AWS_ACCESS_KEY_ID. */
  readonly accessKeyId?: string | undefined;
  /** The key, which no message shows. Default: AWS_SECRET_ACCESS_KEY. */
  readonly secretAccessKey?: string | undefined;
  /** For temporary keys. Default: AWS_SESSION_TOKEN, if the keys come from the environment too. */
  readonly sessionToken?: string | undefined;
  /**
   * Called for each request in place of the three options before, for keys that change: `fromNodeProviderChain()` of
   * `@aws-sdk/credential-providers`. Default: none.
   */
  readonly credentials?: (() => Promise<S3Credentials>) | undefined;
  /** How long a page waits for an object. At most about 400 with those of other stores of bodies. Default: 200. */
  readonly timeoutMs?: number | undefined;
}

/** Keys for a bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Options with every default filled in. */
export interface ResolvedS3Options {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string | undefined;
  readonly prefix: string;
  readonly credentials: () => Promise<S3Credentials>;
  readonly timeoutMs: number;
}

type Given = Omit<ResolvedS3Options, 'credentials'> & {
  readonly [name in keyof S3Credentials]: string | undefined;
} & { readonly credentials: ResolvedS3Options['credentials'] | undefined };

const FACTORY = 's3Bodies';
const ALLOWED = 'an object of options with endpoint and bucket';
const MOST_TIMER_MS = 2 ** 31 - 1;
const KEYS = ['accessKeyId', 'secretAccessKey', 'sessionToken'] as const;

const endpoint: Option<string> = (name, given) => {
  const isUrl = typeof given === 'string' && isEndpoint(given);
  // In a URL there may be a password.
  const shown = typeof given === 'string' && /[@?#]/.test(given) ? '…' : given;
  const allowed = 'a URL with https:// or http://, as in "https://s3.eu-central-1.amazonaws.com"';
  check(name, shown, isUrl, `${allowed}, without the bucket and keys`);
  return new URL(given as string).href.replace(/\/+$/, '');
};

/** A part of a header of each request; it is never shown. */
const secret: Option<string | undefined> = (name, given) => {
  const isText = typeof given === 'string' && /^[!-~]+$/.test(given);
  const allowed = 'letters, digits and signs of ASCII, without spaces';
  check(name, given === undefined ? given : '…', given === undefined || isText, allowed);
  return given as string | undefined;
};

const credentials: Option<ResolvedS3Options['credentials']> = (name, given) => {
  const shown = typeof given === 'string' ? '…' : given;
  check(name, shown, typeof given === 'function', 'a function that returns keys');
  return given as ResolvedS3Options['credentials'];
};

const resolveGroup = group<Given>(
  {
    endpoint,
    bucket: option<string>(
      (given) => typeof given === 'string' && /^[\w.-]{3,222}$/.test(given),
      'the name of a bucket',
    ),
    region: withDefault<string | undefined>(
      option((given) => typeof given === 'string' && /^[\w-]{1,64}$/.test(given), 'a region'),
      undefined,
    ),
    prefix: withDefault(
      option<string>(
        (given) => typeof given === 'string' && /^(?:(?!\.{1,2}\/)[\w.-]+\/)*[\w.-]*$/.test(given),
        'letters, digits, ".", "_", "-" and "/", without a "/" at its begin, "./" and "../"',
      ),
      'ng-ssr/',
    ),
    accessKeyId: secret,
    secretAccessKey: secret,
    sessionToken: secret,
    credentials: withDefault<Given['credentials']>(credentials, undefined),
    timeoutMs: withDefault(wholeNumber(1, MOST_TIMER_MS), 200),
  },
  ALLOWED,
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveS3Options(options: S3BodiesOptions): ResolvedS3Options {
  const shown = typeof options === 'string' ? '…' : options;
  check(`${FACTORY}()`, shown, typeof options === 'object' && options !== null, ALLOWED);
  const { credentials, accessKeyId, secretAccessKey, sessionToken, ...resolved } = resolveGroup(
    FACTORY,
    options,
  );
  const given = { accessKeyId, secretAccessKey, sessionToken };
  if (credentials !== undefined) {
    const beside = KEYS.find((name) => given[name] !== undefined);
    check(`${FACTORY}.${beside}`, '…', beside === undefined, 'nothing beside credentials');
    return { ...resolved, credentials: async () => keysOf(await credentials()) };
  }
  const isGiven = KEYS.some((name) => given[name] !== undefined);
  const keys = isGiven ? given : ofEnvironment();
  const [idName, secretName] = KEYS;
  const hasNone = keys[idName] === undefined && keys[secretName] === undefined;
  // `ng build` creates servers too, without the variables of production.
  if (hasNone && !isGiven) return { ...resolved, credentials: refuseKeys };
  const allowed =
    'a key of the bucket; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are its default';
  assertKeys(FACTORY, keys, allowed);
  return { ...resolved, credentials: async () => keys };
}

/** What a function has returned. An error of `fetch` would show a token that cannot be sent. */
function keysOf(returned: unknown): S3Credentials {
  const name = `${FACTORY}.credentials()`;
  const isObject = typeof returned === 'object' && returned !== null;
  check(
    name,
    returned === undefined ? returned : '…',
    isObject,
    'an object with accessKeyId and secretAccessKey',
  );
  const keys = returned as Partial<S3Credentials>;
  for (const key of KEYS) secret(`${name}.${key}`, keys[key]);
  assertKeys(name, keys, 'a key of the bucket');
  return keys;
}

function assertKeys(
  name: string,
  keys: Partial<Pick<Given, keyof S3Credentials>>,
  allowed: string,
): asserts keys is S3Credentials {
  for (const key of ['accessKeyId', 'secretAccessKey'] as const)
    check(`${name}.${key}`, undefined, keys[key] !== undefined, allowed);
}

async function refuseKeys(): Promise<never> {
  throw new Error(
    'it has no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or s3Bodies.accessKeyId and s3Bodies.secretAccessKey',
  );
}

/** Many deployments use an empty variable for none. */
function ofEnvironment(): Pick<Given, keyof S3Credentials> {
  const read = (name: string): string | undefined => secret(name, process.env[name] || undefined);
  return {
    accessKeyId: read('AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('AWS_SECRET_ACCESS_KEY'),
    sessionToken: read('AWS_SESSION_TOKEN'),
  };
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  // Also an empty query or hash would have the path in it.
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#]/.test(text);
}
