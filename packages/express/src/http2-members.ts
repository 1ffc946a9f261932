import type { Http2ServerRequest } from 'node:http2';
import { type NodeResponse, rememberHttp2 } from '@ng-ssr/node/adapter';

type Members = Readonly<Record<PropertyKey, PropertyDescriptor>>;

let ofRequest: Members | undefined;
let ofResponse: Members | undefined;

/**
 * Express replaces the prototype of each request and response by ones over node:http's, whose members fail for
 * those of node:http2, and end the process. So these keep the members of their own class as own properties,
 * also below a mounted app, and get Express's beside them: the two have no name in common.
 */
export function keepHttp2Members(request: Http2ServerRequest, response: NodeResponse): void {
  rememberHttp2(request);
  const { IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http');
  const http2 = process.getBuiltinModule('node:http2');
  ofRequest ??= membersOf(http2.Http2ServerRequest.prototype, IncomingMessage.prototype);
  ofResponse ??= membersOf(http2.Http2ServerResponse.prototype, ServerResponse.prototype);
  Object.defineProperties(request, ofRequest);
  Object.defineProperties(response, ofResponse);
  // Express reads the host from this header alone (RFC 9113 section 8.3.1).
  request.headers.host ??= request.headers[':authority'] as string | undefined;
}

/** The members of a class that would change if its prototype were the other one. */
function membersOf(own: object, other: object): Members {
  const members: Record<PropertyKey, PropertyDescriptor> = {};
  const ofOwn = allMembersOf(own);
  const ofOther = allMembersOf(other);
  for (const [name, member] of ofOwn) {
    const replacing = ofOther.get(name);
    const isSame = replacing?.value === member.value && replacing?.get === member.get;
    if (name !== 'constructor' && !isSame) members[name] = { ...member, configurable: true };
  }
  return members;
}

/** The members of a prototype and those above it. */
function allMembersOf(prototype: object): Map<PropertyKey, PropertyDescriptor> {
  const members = new Map<PropertyKey, PropertyDescriptor>();
  let each: object | null = prototype;
  while (each !== null && each !== Object.prototype) {
    for (const name of Reflect.ownKeys(each)) {
      if (!members.has(name)) members.set(name, Reflect.getOwnPropertyDescriptor(each, name)!);
    }
    each = Object.getPrototypeOf(each) as object | null;
  }
  return members;
}
