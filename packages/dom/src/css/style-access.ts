import { Rare } from '../rare.ts';
import type { TreeElement } from '../shapes.ts';
import { createStyleDeclaration } from './style-declaration.ts';
import type { StyleDeclaration } from './style-declaration.ts';

interface StyledNode extends TreeElement {
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  _setattr(name: string, value: string): void;
}

/** `style` of SVG elements, which cannot be assigned. */
export class StyleOfSvg {
  get style(): StyleDeclaration {
    return styleOf(this as unknown as StyledNode);
  }
}

/** `style` of HTML elements: assigning a text replaces the attribute. */
export class StyleOfHtml {
  get style(): StyleDeclaration {
    return styleOf(this as unknown as StyledNode);
  }

  set style(text: unknown) {
    (this as unknown as StyledNode)._setattr(
      'style',
      text === null || text === undefined ? '' : String(text),
    );
  }
}

function styleOf(element: StyledNode): StyleDeclaration {
  const rare = (element._rare ??= new Rare());
  return (rare.style ??= createStyleDeclaration(element)) as StyleDeclaration;
}
