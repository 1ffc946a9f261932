import { readDocumentAnswer, toTexts } from '../app/answer/server-answer';

/** Shows how the server has answered this document, where the application will show it. */
export function showAnswer(document: Document): void {
  const answer = readDocumentAnswer();
  if (answer === undefined) return;
  for (const [name, text] of Object.entries(toTexts(answer))) {
    const element = document.querySelector(`[data-answer="${name}"]`);
    if (element !== null) element.textContent = text;
  }
}
