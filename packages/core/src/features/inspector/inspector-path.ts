import { pathOf } from '../../http/target.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { EndpointRoute } from '../../path/endpoint.ts';

/** Where a request for the inspector leads. */
export interface InspectorPart {
  /** Below the inspector's path: empty for that path itself, or `/state`. */
  readonly name: string;
  /** The query, without its `?`. */
  readonly query: string;
  /** The inspector's path as the client has it, with that of a mount before it. */
  readonly root: string;
}

/** Tells the inspector's requests from others, by the path of the option, below the framework's mount or as received. */
export class InspectorPath {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Whether a target, as received, is of the inspector; under a mount also one below it. */
  has(target: string): boolean {
    const end = target[this.#path.length];
    return target.startsWith(this.#path) && (end === undefined || end === '/' || end === '?');
  }

  /** @returns undefined for a request of something else. */
  read({
    target,
    targetBelowMount,
  }: Pick<ParsedRequest, 'target' | 'targetBelowMount'>): InspectorPart | undefined {
    const own = this.has(targetBelowMount) ? targetBelowMount : target;
    if (!this.has(own)) return undefined;
    const name = pathOf(own).slice(this.#path.length);
    const received = pathOf(target);
    const root = received.slice(0, received.length - name.length);
    return { name, query: own.slice(pathOf(own).length + 1), root };
  }
}

/** All that an inspector answers, for frameworks that have routes. */
export function routeOfInspector(path: string): EndpointRoute {
  return { option: 'withInspector.path', path, hasPathsBelow: true };
}
