import type { Resource } from '../answers/resource.ts';
import { select } from '../answers/select.ts';
import type { Answer } from '../exchange.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { Said, Substitute } from './substitute.ts';

/** Answers with pages of the engine that are the same for every request. */
export class ConstantAnswers implements Substitute {
  readonly #pages: { find(target: string): Resource | undefined };

  constructor(pages: { find(target: string): Resource | undefined }) {
    this.#pages = pages;
  }

  answer(asked: ParsedRequest, { exchange }: ParsedRequest): Answer | undefined {
    const page = this.#find(asked);
    return page && select(page, exchange);
  }

  says(request: ParsedRequest): Said | undefined {
    const resource = this.#find(request);
    if (resource === undefined) return undefined;
    const { status } = resource.identity.full;
    const reasons = ['The page is the same for every request (its route is not rendered).'];
    return { answer: 'constant', status, reasons, resource };
  }

  /** The page of a route with a rule is rendered, because the rule decides how it is stored. */
  #find({ page, target }: ParsedRequest): Resource | undefined {
    return page.rule === undefined ? this.#pages.find(target) : undefined;
  }
}
