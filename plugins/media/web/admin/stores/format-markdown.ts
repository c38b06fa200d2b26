/** A text with its selected part. */
export interface Selection {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export const markdownFormats = ['bold', 'italic', 'heading', 'bullets', 'numbers', 'link'] as const;
export type MarkdownFormat = (typeof markdownFormats)[number];

const marks = { bold: '**', italic: '*' } as const;
const linePrefixes = {
  heading: () => '## ',
  bullets: () => '- ',
  numbers: (index: number) => `${index + 1}. `,
} as const;
const anyPrefix = /^(?:#{1,6} |[-*+] |\d+[.)] )/;

/** Formats the selected part of a text in Markdown, or takes its format away. Returns the text with a new selection. */
export function formatMarkdown(selection: Selection, format: MarkdownFormat): Selection {
  if (format === 'bold' || format === 'italic') return toggleMark(selection, marks[format]);
  return format === 'link' ? insertLink(selection) : toggleLines(selection, linePrefixes[format]);
}

function toggleMark({ text, start, end }: Selection, mark: string): Selection {
  const inner = text.slice(start, end);
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (before.endsWith(mark) && after.startsWith(mark))
    return {
      text: before.slice(0, -mark.length) + inner + after.slice(mark.length),
      start: start - mark.length,
      end: end - mark.length,
    };
  return { text: before + mark + inner + mark + after, start: start + mark.length, end: end + mark.length };
}

/** The address is selected afterwards, so that it can be typed. */
function insertLink({ text, start, end }: Selection): Selection {
  const address = 'https://';
  const addressStart = end + 3;
  return {
    text: `${text.slice(0, start)}[${text.slice(start, end)}](${address})${text.slice(end)}`,
    start: addressStart,
    end: addressStart + address.length,
  };
}

function toggleLines({ text, start, end }: Selection, prefixOf: (index: number) => string): Selection {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const areFormatted = lines.every((line, index) => line.startsWith(prefixOf(index)));
  const formattedText = lines
    .map((line, index) => (areFormatted ? '' : prefixOf(index)) + line.replace(anyPrefix, ''))
    .join('\n');
  return { text: text.slice(0, from) + formattedText + text.slice(to), start: from, end: from + formattedText.length };
}
