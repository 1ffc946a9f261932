import { readFileSync } from 'node:fs';

/** The part of V8's format that is used: flat arrays of numbers, whose meaning `meta` gives. */
interface Format {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly (readonly string[])[];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly (readonly string[])[];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** An object of a heap. */
interface HeapNode {
  /** The same in every snapshot of a process; later objects have higher ones. */
  readonly id: number;
  readonly type: string;
  /** The constructor, for objects. */
  readonly name: string;
  readonly bytes: number;
}

/** What has grown between two snapshots. */
export interface Growth {
  /** Type and constructor. */
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  /** How one of the newer objects is reached from the root of the heap. */
  readonly path: string;
}

/** Roots of what the program was just doing. */
const OF_THE_STACK: ReadonlySet<string> = new Set(['(Stack roots)', '(Handle scope)']);

/** V8's heap snapshot of a process. */
export class HeapSnapshot {
  readonly nodes: readonly HeapNode[];
  readonly #format: Format;
  /** The index of each node's first edge, and the end. */
  readonly #firstEdge: Uint32Array;
  readonly #edgeWidth: number;
  readonly #nodeWidth: number;

  constructor(file: string) {
    const format = JSON.parse(readFileSync(file, 'utf8')) as Format;
    const { node_fields: fields, node_types: types, edge_fields: edges } = format.snapshot.meta;
    const at = (name: string): number => fields.indexOf(name);
    const [type, name, id, size, count] = ['type', 'name', 'id', 'self_size', 'edge_count'].map(at);
    this.#format = format;
    this.#nodeWidth = fields.length;
    this.#edgeWidth = edges.length;
    const length = format.nodes.length / fields.length;
    this.#firstEdge = new Uint32Array(length + 1);
    const nodes: HeapNode[] = [];
    for (let i = 0; i < length; i++) {
      const field = (index: number | undefined): number =>
        format.nodes[i * fields.length + index!]!;
      nodes.push({
        id: field(id),
        type: types[type!]![field(type)]!,
        name: format.strings[field(name)]!,
        bytes: field(size),
      });
      this.#firstEdge[i + 1] = this.#firstEdge[i]! + field(count);
    }
    this.nodes = nodes;
  }

  /** The kinds of objects that take more memory than in an earlier snapshot, the largest first. */
  growthSince(earlier: HeapSnapshot, limit: number): readonly Growth[] {
    const lastId = earlier.nodes.reduce((last, { id }) => Math.max(last, id), 0);
    const before = tally(earlier.nodes);
    const cameFrom = this.#shortestPaths();
    return [...tally(this.nodes)]
      .map(([name, { count, bytes }]) => {
        const old = before.get(name) ?? { count: 0, bytes: 0 };
        return { name, count: count - old.count, bytes: bytes - old.bytes };
      })
      .filter(({ count, bytes }) => count > 0 && bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, limit)
      .map((grown) => ({ ...grown, path: this.#pathTo(grown.name, lastId, cameFrom) }));
  }

  #pathTo(name: string, lastId: number, cameFrom: Int32Array): string {
    const newer = [...this.nodes.keys()].filter(
      (i) => cameFrom[i] !== -1 && this.nodes[i]!.id > lastId && nameOf(this.nodes[i]!) === name,
    );
    // One of the middle: the last renders may still be in flight.
    const found = newer[newer.length >> 1];
    if (found === undefined) return '(held by the stack only)';
    const steps: string[] = [];
    for (let at = found; at > 0;) {
      const edge = cameFrom[at]!;
      steps.push(`${this.#nameOfEdge(edge)}: ${this.nodes[at]!.name.slice(0, 40)}`);
      at = this.#ownerOf(edge);
    }
    return steps.reverse().join(' > ');
  }

  /** The edge by which each node is first reached, breadth first; -1 for those that are not. */
  #shortestPaths(): Int32Array {
    const { edges, snapshot } = this.#format;
    const toNode = snapshot.meta.edge_fields.indexOf('to_node');
    const type = snapshot.meta.edge_fields.indexOf('type');
    const weak = snapshot.meta.edge_types[type]!.indexOf('weak');
    const cameFrom = new Int32Array(this.nodes.length).fill(-1);
    const queue = [0];
    for (let next = 0; next < queue.length; next++) {
      const node = queue[next]!;
      for (let edge = this.#firstEdge[node]!; edge < this.#firstEdge[node + 1]!; edge++) {
        if (edges[edge * this.#edgeWidth + type] === weak) continue;
        const to = edges[edge * this.#edgeWidth + toNode]! / this.#nodeWidth;
        if (to === 0 || cameFrom[to] !== -1 || OF_THE_STACK.has(this.nodes[to]!.name)) continue;
        cameFrom[to] = edge;
        queue.push(to);
      }
    }
    return cameFrom;
  }

  /** The node that has this edge. */
  #ownerOf(edge: number): number {
    let low = 0;
    let high = this.nodes.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#firstEdge[middle]! <= edge) low = middle;
      else high = middle;
    }
    return low;
  }

  #nameOfEdge(edge: number): string {
    const { edges, strings, snapshot } = this.#format;
    const { edge_fields: fields, edge_types: types } = snapshot.meta;
    const type = types[0]![edges[edge * fields.length + fields.indexOf('type')]!]!;
    const name = edges[edge * fields.length + fields.indexOf('name_or_index')]!;
    return type === 'element' || type === 'hidden' ? `[${name}]` : strings[name]!.slice(0, 60);
  }
}

function nameOf({ type, name }: HeapNode): string {
  return type === 'object' || type === 'closure' || type === 'native' ? `${type} ${name}` : type;
}

function tally(nodes: readonly HeapNode[]): Map<string, { count: number; bytes: number }> {
  const kinds = new Map<string, { count: number; bytes: number }>();
  for (const node of nodes) {
    const name = nameOf(node);
    const kind = kinds.get(name) ?? { count: 0, bytes: 0 };
    kinds.set(name, { count: kind.count + 1, bytes: kind.bytes + node.bytes });
  }
  return kinds;
}
