import MarkdownIt from 'markdown-it';
import { expect, it } from 'vitest';
import { markCheckBoxes } from '../scripts/markdown/check-boxes.ts';

it.each([
  ['- [ ] **Hosts.** All', '<li>☐ <strong>Hosts.</strong> All</li>'],
  ['- [ ](a.md)', '<li><a href="a.md"> </a></li>'],
  ['[ ] text', '<p>[ ] text</p>'],
])('%j becomes %j', (text, html) => {
  const markdown = new MarkdownIt();
  const tokens = markdown.parse(text, {});
  markCheckBoxes(tokens);
  expect(markdown.renderer.render(tokens, markdown.options, {})).toContain(html);
});
