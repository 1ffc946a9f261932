import { readDocumentAnswer, toText } from '../app/answer/server-answer';

/** Shows how the server has answered this document, where the application will show it. */
export function showAnswer(document: Document): void {
  const answer = readDocumentAnswer();
  const element = document.querySelector('[data-answer]');
  if (answer !== undefined && element !== null) element.textContent = toText(answer);
}
