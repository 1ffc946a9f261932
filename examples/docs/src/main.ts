import { showAnswer } from './start/show-answer';
import { focusSearchOnSlash } from './start/slash-key';
import { whenFirstUsed } from './start/first-use';

// The document is complete as the server has sent it. What is here works at once; the application is loaded when a
// reader turns to the page, and Angular replays what was done until then.
showAnswer(document);
focusSearchOnSlash(document);
whenFirstUsed(document, () => import('./application'));
