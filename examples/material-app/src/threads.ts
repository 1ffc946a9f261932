/** `THREADS`: how many threads serve, or `auto`. The server checks it. */
const value = process.env['THREADS'];
export const threads = value === 'auto' ? value : Number(value || 1);
