import { describeError } from '@ng-ssr/core/pack';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens at this address',
  ECONNRESET: 'the server closed the connection',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the DNS server does not respond',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'it does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
  UND_ERR_SOCKET: 'the server closed the connection',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP. If it uses TLS, pass an https URL',
};

/** OpenSSL's names of what is wrong with a certificate. */
const OF_CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME/;

/** Why a request got no response, for people. */
export function describeFailedConnection(cause: unknown): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it does not respond in time';
  const code = codeOf(cause);
  if (code === undefined) return describeError(firstCauseOf(cause)).split('\n', 1)[0]!;
  if (OF_CERTIFICATE.test(code)) {
    return `its certificate is not trusted (${code}). To trust another authority, set NODE_EXTRA_CA_CERTS=<file>`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return `it does not speak TLS (${code}). If it uses plain HTTP, pass an http URL`;
  }
  return `${REASONS[code] ?? 'the connection failed'} (${code})`;
}

/** The first code of an error and its causes; several addresses that failed are one AggregateError. */
function codeOf(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    if (error instanceof AggregateError) return codeOf(error.errors[0]);
  }
  return undefined;
}

function firstCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? firstCauseOf(error.cause) : error;
}
