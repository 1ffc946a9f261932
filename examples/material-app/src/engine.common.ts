import { commonEngine } from '@ng-ssr/engines';
import bootstrap from './main.server';
import { fast } from './render';

export const engine = commonEngine({ bootstrap, fast });
