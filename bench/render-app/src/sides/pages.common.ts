import bootstrap from '../main.server';
import { commonSides } from './common';

export const render = commonSides(bootstrap);
