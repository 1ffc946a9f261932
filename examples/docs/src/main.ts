import { scrollToCurrent } from './app/layout/scroll-to-current';
import { showNearPages } from './app/not-found/near-pages';
import { copyByButtons } from './start/copy-button';
import { whenFirstUsed } from './start/first-use';
import { rememberTabs } from './start/remember-tabs';
import { scrollMenu } from './start/scroll-menu';
import { openSearchByKeys } from './start/search-keys';
import { showAnswer } from './start/show-answer';
import { unfoldTarget } from './start/unfold-target';

// The document is complete as the server has sent it. What is here works at once; the application is loaded when a
// reader turns to the page, and Angular replays what was done until then.
showAnswer(document);
scrollToCurrent(document.querySelector('.side'));
scrollMenu(document);
showNearPages(document);
unfoldTarget(document);
rememberTabs(document);
copyByButtons(document);
openSearchByKeys(document);
whenFirstUsed(document, () => import('./application'));
