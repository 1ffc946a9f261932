import { defineBrowserSuite } from './define-browser-suite.ts';

defineBrowserSuite('common');
