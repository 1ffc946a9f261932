import { lack } from './lacks.ts';
import { documentOf } from './link.ts';
import type { TreeNode } from './shapes.ts';

/**
 * Members of Angular's classes which would go wrong on our nodes, because their code works on fields of Angular's
 * nodes. Where a class has a member of ours by the same name, that one is used.
 */
export const LACKING: Readonly<Record<string, readonly string[]>> = {
  Node: ['modify'],
  ContainerNode: ['_ensureChildNodes'],
  Element: [
    ...['clone', '_setAttribute', '_setAttributeNS', '_newattr', '_addQName', '_removeQName'],
    '_remove',
  ],
  // It makes an element of Angular's.
  SVGSVGElement: ['createSVGRect'],
  CharacterData: ['_remove'],
  Text: ['clone'],
  Comment: ['clone'],
  ProcessingInstruction: ['clone'],
  DocumentType: ['clone', '_remove'],
  DocumentFragment: ['clone'],
  Document: [
    // The handler is never called, and no node has a number.
    ...['_setMutationHandler', '_dispatchRendererEvent', 'mutateInsert', 'mutateRemove'],
    // Nodes of these would be Angular's.
    ...['clone', 'addId', 'delId'],
  ],
};

/** A class whose members note on the page's document that they are lacking and throw DomLacksError. */
export function lackingMembers(className: string): { readonly prototype: object } {
  const prototype = {};
  for (const name of LACKING[className] ?? []) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: TreeNode): never {
        throw lack(documentOf(this), `${className}.prototype.${name}`);
      },
    });
  }
  return { prototype };
}
