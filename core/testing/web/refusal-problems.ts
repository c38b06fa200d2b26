import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

export interface RefusalSources {
  /** Plugin id or `core`: refusal ids begin with `<owner>.refused.`. */
  readonly owner: string;
  /** Folder of the catalogue that both halves share. */
  readonly messages: string;
  /** Folders of the code that creates refusals. */
  readonly sources: readonly string[];
}

type Catalogue = Readonly<Record<string, string>>;

/**
 * Finds refusals without a message in a language, unused messages, and values that a message lacks or does not expect.
 * Empty if valid.
 */
export function findRefusalProblems({ owner, messages, sources }: RefusalSources): readonly string[] {
  const [english, french] = ['en', 'fr'].map(
    (language) => JSON.parse(readFileSync(path.join(messages, `${language}.json`), 'utf8')) as Catalogue,
  ) as [Catalogue, Catalogue];
  const calls = sources.flatMap((folder) => findCalls(folder, owner));
  if (calls.length === 0) return [`No file below '${sources.join("', '")}' creates a refusal.`];
  const problems: string[] = [];
  for (const id of new Set([...Object.keys(english), ...Object.keys(french), ...calls.map((call) => call.id)])) {
    if (!id.startsWith(`${owner}.refused.`)) problems.push(`'${id}' does not begin with '${owner}.refused.'.`);
    if (english[id] === undefined) problems.push(`'${id}' has no English text.`);
    else if (french[id] === undefined) problems.push(`'${id}' has no French text.`);
    else {
      const placeholders = findPlaceholders(english[id]);
      if (findPlaceholders(french[id]) !== placeholders)
        problems.push(
          `'${id}' has the placeholders ${placeholders} in English and ${findPlaceholders(french[id])} in French.`,
        );
      const usages = calls.filter((call) => call.id === id);
      if (usages.length === 0) problems.push(`'${id}' is not used.`);
      for (const { values, file } of usages)
        if (values !== placeholders)
          problems.push(`'${id}' has the placeholders ${placeholders} but gets the values ${values} in ${file}.`);
    }
  }
  return problems;
}

/**
 * Sorted placeholder names. The server has no ICU parser, so any placeholder but a name or a number would appear
 * verbatim.
 */
function findPlaceholders(text: string): string {
  const getName = (element: MessageFormatElement): readonly string[] => {
    if (element.type === TYPE.literal) return [];
    return element.type === TYPE.argument || element.type === TYPE.number
      ? [element.value]
      : ['(a placeholder that the server cannot fill)'];
  };
  return [...new Set(parse(text, { ignoreTag: false }).flatMap(getName))].toSorted().join(' ');
}

/** Occurrences of refusal ids in the source with the names of their values: `refusal('a.refused.b', { name })`. */
function findCalls(
  folder: string,
  owner: string,
): readonly { readonly id: string; readonly values: string; readonly file: string }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(new RegExp(String.raw`'(${owner}\.refused\.\w+)'(?:,\s+(?=\{))?`, 'g'))].map((match) => {
      const values = match[0].endsWith("'") ? '' : readObject(text, match.index + match[0].length);
      return { id: match[1] ?? '', values: listNames(values), file };
    });
  });
}

/** Sorted property names of an object literal, ignoring templates. */
function listNames(literal: string): string {
  const names = [...literal.replaceAll(/`[^`]*`/g, '').matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g)].map(
    (match) => match[1] ?? '',
  );
  return names.toSorted().join(' ');
}

function readObject(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return text.slice(start, index + 1);
  }
  return '';
}
