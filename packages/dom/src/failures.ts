/** The exceptions of Angular's DOM, with its words. */
const MESSAGES = {
  IndexSizeError: 'The index is not in the allowed range',
  HierarchyRequestError: 'The node tree hierarchy is not correct',
  NotFoundError: 'The object can not be found here',
  NotSupportedError: 'The operation is not supported',
  InvalidCharacterError: 'The string contains invalid characters',
  InvalidStateError: 'The object is in an invalid state',
  SyntaxError: 'The string did not match the expected pattern',
  NamespaceError: 'The operation is not allowed by Namespaces in XML',
  InUseAttributeError: 'The attribute is already in use',
} as const;

export function domFailure(name: keyof typeof MESSAGES): DOMException {
  return new DOMException(MESSAGES[name], name);
}
