/** What a page has that a program may write otherwise than it has read it: an element in a parent, an attribute. */
export interface Shape {
  /** Whether a page with it was as expected. */
  isVerified: boolean;
}

const MAX_REMEMBERED = 5000;

/** The shapes of the pages that were read and written again by another program. */
export class ReparsedShapes {
  #elements = new Map<string, Map<string, Shape>>();
  #attributes = new Map<string, Shape>();
  #count = 0;
  #unverified = new Set<Shape>();

  /** Forgets what the last page had. */
  clear(): void {
    this.#unverified = new Set();
  }

  /** The shapes of the page that no page as expected had so far. */
  unverified(): ReadonlySet<Shape> {
    return this.#unverified;
  }

  /** @param form - The element's name, and what of it matters. */
  element(parent: string, form: string): void {
    let children = this.#elements.get(parent);
    if (children === undefined) this.#elements.set(parent, (children = new Map()));
    this.#note(children, form);
  }

  /** @param form - The attribute's name, and what of it matters. */
  attribute(form: string): void {
    this.#note(this.#attributes, form);
  }

  #note(shapes: Map<string, Shape>, form: string): void {
    let shape = shapes.get(form);
    if (shape === undefined) {
      shape = { isVerified: false };
      if (this.#count++ < MAX_REMEMBERED) shapes.set(form, shape);
    }
    if (!shape.isVerified) this.#unverified.add(shape);
  }
}
