import { describeError } from '@ng-ssr/core/pack';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens there',
  ECONNRESET: 'the server has closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'the server has closed the connection',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP; an https server is asked with an https URL',
};

/** OpenSSL's names of what is wrong with a certificate. */
const OF_CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME/;

/** Why a request got no answer, for people. */
export function describeFailedConnection(cause: unknown): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it does not answer in time';
  const code = codeOf(cause);
  if (code === undefined) return describeError(firstCauseOf(cause)).split('\n', 1)[0]!;
  if (OF_CERTIFICATE.test(code)) {
    return `its certificate is not trusted (${code}). NODE_EXTRA_CA_CERTS=<file> names another authority`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return `it does not speak TLS (${code}); an http server is asked with an http URL`;
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
