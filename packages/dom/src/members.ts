import { AttrMembers } from './attr.ts';
import { AttributeMapMembers } from './attribute-map.ts';
import { AttributeNodeMembers } from './attribute-nodes.ts';
import { TextMembers } from './character-data.ts';
import { ChildNodeMembers } from './child-node.ts';
import { ChildrenMembers } from './children.ts';
import { ContentTextMembers } from './content-text.ts';
import { StyleOfHtml, StyleOfSvg } from './css/style-access.ts';
import { DocumentMembers } from './document.ts';
import { ElementMembers } from './element.ts';
import { ElementEvents } from './events/element-events.ts';
import { FormOwner } from './html/form-owner.ts';
import { unsupportedMembers } from './unsupported-members.ts';
import { NodeMembers } from './node.ts';
import { ImplementationMembers } from './parse/implementation.ts';
import { MarkupMembers } from './parse/markup-members.ts';
import { MatchesMembers, SelectorMembers } from './select/selector-members.ts';
import { TemplateMembers } from './template.ts';
import { TokenListMembers } from './token-list.ts';

/** A class whose prototype holds members. */
export interface MemberClass {
  readonly prototype: object;
}

/**
 * Our members by the class of Angular's that has them. A node's class gets those of each of its Angular ancestors,
 * outermost first; what is in none of them is inherited from Angular's prototypes.
 */
export const MEMBERS: Readonly<Record<string, readonly MemberClass[]>> = {
  Node: [unsupportedMembers('Node'), NodeMembers],
  Element: [
    unsupportedMembers('ContainerNode'),
    unsupportedMembers('Element'),
    ChildrenMembers,
    ContentTextMembers,
    ChildNodeMembers,
    ElementMembers,
    AttributeNodeMembers,
    ElementEvents,
    SelectorMembers,
    MatchesMembers,
  ],
  HTMLElement: [MarkupMembers, StyleOfHtml, FormOwner],
  HTMLTemplateElement: [TemplateMembers],
  CharacterData: [unsupportedMembers('CharacterData'), ChildNodeMembers],
  Text: [unsupportedMembers('Text'), TextMembers],
  Comment: [unsupportedMembers('Comment'), TextMembers],
  ProcessingInstruction: [unsupportedMembers('ProcessingInstruction'), TextMembers],
  DocumentType: [unsupportedMembers('DocumentType'), ChildNodeMembers],
  DocumentFragment: [
    unsupportedMembers('ContainerNode'),
    unsupportedMembers('DocumentFragment'),
    ChildrenMembers,
    ContentTextMembers,
    SelectorMembers,
  ],
  Document: [
    unsupportedMembers('ContainerNode'),
    unsupportedMembers('Document'),
    ChildrenMembers,
    DocumentMembers,
    SelectorMembers,
  ],
  DOMImplementation: [ImplementationMembers],
  SVGElement: [StyleOfSvg],
  SVGSVGElement: [unsupportedMembers('SVGSVGElement')],
  DOMTokenList: [TokenListMembers],
  // Two classes of Angular's that it does not publish.
  Attr: [AttrMembers],
  AttributeMap: [AttributeMapMembers],
};
