/** A text with the start and end of its selected part. */
export interface SelectedText {
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

/** Formats the selected part of a Markdown text, or removes its format. Returns the text with a new selection. */
export function formatMarkdown(selection: SelectedText, format: MarkdownFormat): SelectedText {
  if (format === 'bold' || format === 'italic') return toggleMark(selection, marks[format]);
  return format === 'link' ? insertLink(selection) : toggleLines(selection, linePrefixes[format]);
}

function toggleMark({ text, start, end }: SelectedText, mark: string): SelectedText {
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

/** Selects the URL, so that the person can replace it. */
function insertLink({ text, start, end }: SelectedText): SelectedText {
  const url = 'https://';
  const urlStart = end + 3;
  return {
    text: `${text.slice(0, start)}[${text.slice(start, end)}](${url})${text.slice(end)}`,
    start: urlStart,
    end: urlStart + url.length,
  };
}

function toggleLines({ text, start, end }: SelectedText, getPrefix: (index: number) => string): SelectedText {
  const blockStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const blockEnd = lineEnd < 0 ? text.length : lineEnd;
  const lines = text.slice(blockStart, blockEnd).split('\n');
  const areFormatted = lines.every((line, index) => line.startsWith(getPrefix(index)));
  const formattedText = lines
    .map((line, index) => (areFormatted ? '' : getPrefix(index)) + line.replace(anyPrefix, ''))
    .join('\n');
  return {
    text: text.slice(0, blockStart) + formattedText + text.slice(blockEnd),
    start: blockStart,
    end: blockStart + formattedText.length,
  };
}
