import { unsupported } from './unsupported.ts';
import { documentOf } from './link.ts';
import type { TreeNode } from './shapes.ts';

/**
 * Members of Angular's classes which would go wrong on our nodes, because their code works on fields of Angular's
 * nodes. Where a class has a member of ours by the same name, that one is used.
 */
export const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
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

/** A class whose members note on the page's document that they are not supported and throw DomUnsupportedError. */
export function unsupportedMembers(className: string): { readonly prototype: object } {
  const prototype = {};
  for (const name of UNSUPPORTED[className] ?? []) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: TreeNode): never {
        throw unsupported(documentOf(this), `${className}.prototype.${name}`);
      },
    });
  }
  return { prototype };
}
