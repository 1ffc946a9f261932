import { isShown } from './page-characters.ts';
import { nameAt, type WrittenElement } from './written-node.ts';

/** An attribute's name in a page. */
export interface AttributeName {
  /** ` name="`, as UTF-8. */
  readonly bytes: Uint8Array;
  /** What programs that parse the page find. */
  readonly read: string;
  /** What of it matters to a program that writes the page again: a number at its end does not. */
  readonly form: string;
}

const MAX_REMEMBERED = 2000;
/**
 * Attributes of SVG and MathML with capital letters.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#adjust-svg-attributes
 */
const MIXED_CASE: ReadonlySet<string> = new Set(
  (
    'attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits definitionURL diffuseConstant ' +
    'edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints ' +
    'keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits ' +
    'maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY ' +
    'pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur ' +
    'requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod startOffset ' +
    'stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength viewBox ' +
    'viewTarget xChannelSelector yChannelSelector zoomAndPan'
  ).split(' '),
);
const encoder = new TextEncoder();

/** The names of attributes, as a page has them. */
export class AttributeNames {
  readonly #isReparsed: boolean;
  readonly #ofHtml = new Map<string, AttributeName | undefined>();
  readonly #ofForeign = new Map<string, AttributeName | undefined>();

  /** @param isReparsed - As in `WriterOptions`. */
  constructor(isReparsed: boolean) {
    this.#isReparsed = isReparsed;
  }

  /**
   * @param isHtml - Whether the element is one of HTML.
   * @returns undefined for a name that other HTML parsers may read differently.
   */
  of(name: string, isHtml: boolean): AttributeName | undefined {
    const names = isHtml ? this.#ofHtml : this.#ofForeign;
    const known = names.get(name);
    if (known !== undefined || names.has(name)) return known;
    const made = this.#make(name, isHtml);
    // Of names that count up there is always another: those of all pages come back at once.
    if (names.size >= MAX_REMEMBERED) names.clear();
    names.set(name, made);
    return made;
  }

  #make(name: string, isHtml: boolean): AttributeName | undefined {
    const lower = name.toLowerCase();
    const read = this.#isReparsed && !isHtml && !MIXED_CASE.has(name) ? lower : name;
    if (/[\s/>"'=<]|^data-beasties(?!-skip$)/.test(lower) || (read !== lower && isShown(lower))) {
      return undefined;
    }
    // Selectors find these by the document's own name, and programs that read the page in lower case.
    if (name !== lower && (lower === 'class' || lower === 'id')) return undefined;
    const form = name.replace(/\d+$/, '#');
    return { bytes: encoder.encode(` ${read}="`), read, form: isHtml ? form : ` ${form}` };
  }
}

/** Whether an HTML parser finds an attribute twice, and drops the second. */
export function isTwice(attrs: NonNullable<WrittenElement['_attrs']>, name: string): boolean {
  let count = 0;
  for (let i = 0; i < attrs.length; i += 2) {
    if (nameAt(attrs, i).toLowerCase() === name) count++;
  }
  return count > 1;
}
