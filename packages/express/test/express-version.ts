import express from 'express';

/** The name of the installed Express in reports. Only Express 4 has its query parser to give away. */
export const expressName = 'query' in express ? 'express-4' : 'express';
