import { unsupported } from '../unsupported.ts';
import { HTML } from '../node-types.ts';
import type { TreeElement } from '../shapes.ts';

/**
 * The inherited `form` reads this. In Angular's DOM only the parser gives a control its form. This DOM does not keep
 * it: a page that asks for the form of a control within one is left to Angular's DOM.
 */
export class FormOwner {
  get _form(): null {
    const element = this as unknown as TreeElement;
    for (let at = element.parentNode; at !== null; at = at.parentNode) {
      const { localName, namespaceURI } = at as TreeElement;
      if (localName === 'form' && namespaceURI === HTML) {
        throw unsupported(element.ownerDocument, `${element.localName}.form`);
      }
    }
    return null;
  }
}
