/**
 * Fields and members with an underscore that the code of Angular's classes reads on a node, and that our nodes have so
 * that this code can be inherited: all reflected attributes, the parts of URLs, events and handlers, tree walkers,
 * selectors and most of the document.
 */
export const ANGULAR_CONTRACT: Readonly<Record<string, readonly string[]>> = {
  Node: ['doc', 'rooted', 'index', 'lastModTime', '_insertOrReplace'],
  Element: [
    // Reflected attributes, lookups of namespaces, isEqualNode.
    ...['_getattr', '_setattr', '_numattrs', '_attr'],
    // dispatchEvent, onclick and its like; setAttribute calls what stands in `_attributeChangeHandlers`.
    ...['_listeners', '_handlers'],
  ],
  // The owner of a control; the content of a template.
  HTMLElement: ['_form'],
  HTMLTemplateElement: ['_contentFragment'],
  // Text of scripts, splitText, isEqualNode.
  Text: ['_data'],
  Comment: ['_data'],
  ProcessingInstruction: ['_data', '_target'],
  DocumentType: ['_name'],
  Document: [
    ...['_address', '_contentType', '_quirks', '_limitedQuirks', '_scripting_enabled'],
    ...['_nodeIterators', '_templateDoc', '_templateDocCache', '_titleElement'],
    ...['_hasMultipleElementsWithId', '_createElementNS'],
  ],
};

/** Fields that inherited code keeps on our nodes by itself; nothing of ours reads them. */
export const ANGULAR_KEEPS: readonly string[] = [
  // Clicks.
  ...[
    '_armed',
    '_click_in_progress',
    '_pre_click_activation_steps',
    '_post_click_activation_steps',
  ],
  '_cancelled_activation_steps',
  // Lists that are made once: children of elements, the empty one of a text.
  ...['_children', '_childNodes'],
  // Hooks and the parser, which no node of ours has.
  ...['_textchangehook', '_newattrhook', '_parser', 'mutationHandler', '_host'],
];
