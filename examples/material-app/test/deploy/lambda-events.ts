/** A request as a client has sent it. Names of headers are in lower case. */
export interface LambdaRequest {
  readonly method: string;
  readonly host: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A kind of event, and what reaches a function as its host. */
export interface LambdaSource {
  readonly host: string;
  readonly toEvent: (request: LambdaRequest) => object;
}

/**
 * Payload version 2.0: headers and queries of several values are one, cookies apart.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
function version2({ method, host, target, headers, body }: LambdaRequest): object {
  const [path, query = ''] = target.split('?');
  const { cookie, ...others } = headers;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: { host, 'x-forwarded-proto': 'https', 'x-forwarded-port': '443', ...others },
    ...(query !== '' && { queryStringParameters: Object.fromEntries(new URLSearchParams(query)) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: host.split('.')[0],
      domainName: host,
      domainPrefix: host.split('.')[0],
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
      requestId: 'id',
      routeKey: '$default',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1773342238000,
    },
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  };
}

/**
 * REST APIs, and HTTP APIs with payload version 1.0: everything twice, once with all values.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
function version1({ method, host, target, headers, body }: LambdaRequest): object {
  const { path, single, multiple } = readQuery(target);
  const all = { Host: host, 'X-Forwarded-Proto': 'https', ...headers };
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: all,
    multiValueHeaders: toLists(all),
    queryStringParameters: single,
    multiValueQueryStringParameters: multiple,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: host.split('.')[0],
      domainName: host,
      httpMethod: method,
      identity: { sourceIp: '192.0.2.1', userAgent: 'agent', accessKey: null },
      path: `/prod${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'id',
      resourcePath: '/{proxy+}',
      stage: 'prod',
    },
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/**
 * Load balancers: headers are lists where the target group says so, and not otherwise; queries stay encoded.
 *
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
function balanced(
  hasLists: boolean,
  { method, host, target, headers, body }: LambdaRequest,
): object {
  const { path, single, multiple } = readQuery(target);
  const all = { host, 'x-forwarded-proto': 'https', 'x-forwarded-port': '443', ...headers };
  const targetGroupArn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/1';
  return {
    requestContext: { elb: { targetGroupArn } },
    httpMethod: method,
    path,
    ...(hasLists
      ? { multiValueHeaders: toLists(all), multiValueQueryStringParameters: multiple ?? {} }
      : { headers: all, queryStringParameters: single ?? {} }),
    body: body ?? '',
    isBase64Encoded: false,
  };
}

function readQuery(target: string) {
  const [path = '/', query] = target.split('?');
  const single = query === undefined ? null : Object.fromEntries(new URLSearchParams(query));
  return { path, single, multiple: single && toLists(single) };
}

function toLists(values: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}

export const SOURCES: Readonly<Record<string, LambdaSource>> = {
  'a function URL': { host: 'abc.lambda-url.eu-west-1.on.aws', toEvent: version2 },
  'an HTTP API': { host: 'abc.execute-api.eu-west-1.amazonaws.com', toEvent: version2 },
  'a REST API': { host: 'abc.execute-api.eu-west-1.amazonaws.com', toEvent: version1 },
  'a load balancer': {
    host: 'shop-1.eu-west-1.elb.amazonaws.com',
    toEvent: (request) => balanced(false, request),
  },
  'a load balancer with lists': {
    host: 'shop-1.eu-west-1.elb.amazonaws.com',
    toEvent: (request) => balanced(true, request),
  },
};
