import bootstrap from '../../../../examples/material-app/src/main.server';
import { commonSides } from './common';

export const render = commonSides(bootstrap);
