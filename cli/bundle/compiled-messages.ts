import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'esbuild';
import type { Language } from '#core';

const messageFile = /[\\/]messages[\\/](en|fr)\.json$/;
const webMessageFile = /([\\/])web([\\/]messages[\\/](?:en|fr)\.json)$/;
const contractMessageFile = /([\\/])contract([\\/]messages[\\/](?:en|fr)\.json)$/;
/** The language of messages that another language lacks. */
const fallbackLanguage: Language = 'en';

/**
 * Given a message file of a contract, finds the message file of the same plugin's web half. The compiled web file
 * includes the contract's messages, so that the browser fetches one file instead of two. Undefined for other files, and
 * if the web half has no messages.
 */
export function findWebMessages(file: string): string | undefined {
  const webFile = file.replace(contractMessageFile, '$1web$2');
  return webFile !== file && existsSync(webFile) ? webFile : undefined;
}

/**
 * Compiles each `messages/<language>.json` to a module of parsed ICU messages by id, so that no parser is downloaded.
 * Messages of a web half include those of its contract (see `findWebMessages`). Missing messages fall back to English.
 * A language that the product does not have gets an empty module. Imports `with { type: 'json' }` get the texts
 * unchanged.
 */
export function compiledMessages(languages: readonly Language[]): Plugin {
  return {
    name: 'compiled-messages',
    setup(build) {
      build.onLoad({ filter: messageFile }, async ({ path: file, with: attributes }) => {
        if (attributes.type === 'json') return undefined;
        const language = messageFile.exec(file)?.[1] as Language;
        if (!languages.includes(language) && language !== fallbackLanguage)
          return { contents: 'export default {}', loader: 'js', watchFiles: [file] };
        const files = listJoinedFiles(file);
        const fallbackFiles = files.map((ownFile) => path.join(path.dirname(ownFile), `${fallbackLanguage}.json`));
        const errors: string[] = [];
        const ownMessages = await readMessages(files, errors);
        const fallbackMessages =
          language === fallbackLanguage ? ownMessages : await readMessages(fallbackFiles, errors);
        errors.push(
          ...Object.keys(ownMessages)
            .filter((id) => !(id in fallbackMessages))
            .map((id) => `'${id}' is not in ${fallbackLanguage}.json.`),
        );
        const messagesById = Object.fromEntries(
          Object.entries({ ...fallbackMessages, ...ownMessages })
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([id, text]) => [id, compile(id, text, errors)]),
        );
        if (errors.length > 0)
          return {
            errors: errors.map((text) => ({
              text,
              location: { file: path.relative(build.initialOptions.absWorkingDir ?? '', file) },
            })),
          };
        return {
          contents: `export default ${JSON.stringify(messagesById)}`,
          loader: 'js',
          watchFiles: [...files, ...fallbackFiles],
        };
      });
    },
  };
}

/** Lists the files whose messages are compiled into one module: the file and, for a web half, the contract's file. */
export function listJoinedFiles(file: string): readonly string[] {
  const contractFile = file.replace(webMessageFile, '$1contract$2');
  return contractFile !== file && existsSync(contractFile) ? [file, contractFile] : [file];
}

async function readMessages(files: readonly string[], errors: string[]): Promise<Readonly<Record<string, string>>> {
  try {
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return Object.assign({}, ...texts.map((text) => JSON.parse(text) as Record<string, string>)) as Record<
      string,
      string
    >;
  } catch (error) {
    errors.push(`The messages cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

function compile(id: string, text: string, errors: string[]): unknown {
  try {
    return parse(text, { ignoreTag: false, captureLocation: false });
  } catch (error) {
    errors.push(
      `The message '${id}' is not valid ICU MessageFormat: ` +
        `${error instanceof Error ? error.message : String(error)}. Put literal braces and angle brackets between ` +
        'apostrophes.',
    );
    return [];
  }
}
