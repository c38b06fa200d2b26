import { expect, it } from 'vitest';
import { formatMarkdown, type MarkdownFormat } from './format-markdown.ts';

/** The selected part is between bars. */
function format(text: string, ...formats: readonly MarkdownFormat[]): string {
  let selection = { text: text.replaceAll('|', ''), start: text.indexOf('|'), end: text.lastIndexOf('|') - 1 };
  for (const appliedFormat of formats) selection = formatMarkdown(selection, appliedFormat);
  const { start, end } = selection;
  return `${selection.text.slice(0, start)}|${selection.text.slice(start, end)}|${selection.text.slice(end)}`;
}

it.each<readonly [string, readonly MarkdownFormat[], string]>([
  ['a |b| c', ['bold'], 'a **|b|** c'],
  ['a |b| c', ['bold', 'bold'], 'a |b| c'],
  ['a || c', ['italic'], 'a *||* c'],
  ['a\nb |c|\nd', ['heading'], 'a\n|## b c|\nd'],
  ['a\n|b\nc|', ['numbers'], 'a\n|1. b\n2. c|'],
  ['|1. b\n2. c|', ['bullets'], '|- b\n- c|'],
  ['|- b\n- c|', ['bullets'], '|b\nc|'],
  ['a |b| c', ['link'], 'a [b](|https://|) c'],
])('formats %j by %s', (text, formats, expected) => {
  expect(format(text, ...formats)).toBe(expected);
});
