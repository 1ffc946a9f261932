/** Index of the number of renders that a thread has begun, which is the last one's id: ids count from 1. */
export const BEGUN = 0;
/** Index of an id: renders up to it that have not begun were withdrawn and go to other threads. */
export const WITHDRAWN = 1;
