import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

export interface RefusalParts {
  /** Plugin id or `core`: refusal ids begin with `<owner>.refused.`. */
  readonly owner: string;
  /** Folder of the catalogue that both halves share. */
  readonly messages: string;
  /** Folder of the server code. */
  readonly server: string;
}

type Catalogue = Readonly<Record<string, string>>;

/**
 * Finds refusals without a message in a language, unused messages, and values that a message lacks or does not expect.
 * Empty if valid.
 */
export function refusalProblems({ owner, messages, server }: RefusalParts): readonly string[] {
  const [english, french] = ['en', 'fr'].map(
    (language) => JSON.parse(readFileSync(path.join(messages, `${language}.json`), 'utf8')) as Catalogue,
  ) as [Catalogue, Catalogue];
  const calls = callsIn(server, owner);
  if (calls.length === 0) return [`Nothing below '${server}' refuses anything.`];
  const problems: string[] = [];
  for (const id of new Set([...Object.keys(english), ...Object.keys(french), ...calls.map((call) => call.id)])) {
    if (!id.startsWith(`${owner}.refused.`)) problems.push(`'${id}' does not begin with '${owner}.refused.'.`);
    if (english[id] === undefined) problems.push(`'${id}' has no English words.`);
    else if (french[id] === undefined) problems.push(`'${id}' has no French words.`);
    else {
      const placeholders = findPlaceholders(english[id]);
      if (findPlaceholders(french[id]) !== placeholders)
        problems.push(
          `'${id}' has the placeholders ${placeholders} in English and ${findPlaceholders(french[id])} in French.`,
        );
      const made = calls.filter((call) => call.id === id);
      if (made.length === 0) problems.push(`'${id}' is refused by nothing.`);
      for (const { values, file } of made)
        if (values !== placeholders)
          problems.push(`'${id}' has the placeholders ${placeholders} and is given ${values} in ${file}.`);
    }
  }
  return problems;
}

/**
 * Sorted placeholder names. The server fills placeholders without an ICU parser, so anything but a name or number would
 * appear verbatim.
 */
function findPlaceholders(text: string): string {
  const getName = (element: MessageFormatElement): readonly string[] => {
    if (element.type === TYPE.literal) return [];
    return element.type === TYPE.argument || element.type === TYPE.number
      ? [element.value]
      : ['(what the server cannot fill)'];
  };
  return [...new Set(parse(text, { ignoreTag: false }).flatMap(getName))].toSorted().join(' ');
}

/** Occurrences of an id in the source with the names of its values: `refusal('a.refused.b', { name, size: 3 })`. */
function callsIn(
  folder: string,
  owner: string,
): readonly { readonly id: string; readonly values: string; readonly file: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(new RegExp(String.raw`'(${owner}\.refused\.\w+)'(?:, (?=\{))?`, 'g'))].map((match) => {
      const values = match[0].endsWith(' ') ? objectAt(text, match.index + match[0].length) : '';
      return { id: match[1] ?? '', values: namesIn(values), file };
    });
  });
}

/** Sorted property names of an object literal, ignoring templates. */
function namesIn(written: string): string {
  const names = [...written.replaceAll(/`[^`]*`/g, '').matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g)].map(
    (match) => match[1] ?? '',
  );
  return names.toSorted().join(' ');
}

function objectAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return text.slice(start, at + 1);
  }
  return '';
}
