import { commonEngine } from '@ng-ssr/engines';
import bootstrap from './main.server';

export const engine = commonEngine({ bootstrap });
