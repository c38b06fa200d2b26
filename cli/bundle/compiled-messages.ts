import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'esbuild';
import type { Language } from '#core';

const messageFile = /[\\/]messages[\\/](en|fr)\.json$/;
/** The language of messages that another language lacks. */
const fallbackLanguage: Language = 'en';

/**
 * Compiles each `messages/<language>.json` to a module of parsed ICU messages by id, so that no parser is downloaded.
 * Missing messages fall back to English. A language that the product does not have gets an empty module. Imports
 * `with { type: 'json' }` get the texts unchanged.
 */
export function compiledMessages(languages: readonly Language[]): Plugin {
  return {
    name: 'compiled-messages',
    setup(build) {
      build.onLoad({ filter: messageFile }, async ({ path: file, with: attributes }) => {
        if (attributes.type === 'json') return undefined;
        const language = messageFile.exec(file)?.[1] as Language;
        const fallbackFile = path.join(path.dirname(file), `${fallbackLanguage}.json`);
        if (!languages.includes(language) && language !== fallbackLanguage)
          return { contents: 'export default {}', loader: 'js', watchFiles: [file] };
        const errors: string[] = [];
        const ownMessages = await readMessages(file, errors);
        const fallbackMessages = language === fallbackLanguage ? ownMessages : await readMessages(fallbackFile, errors);
        errors.push(
          ...Object.keys(ownMessages)
            .filter((id) => !(id in fallbackMessages))
            .map((id) => `'${id}' is not in ${fallbackLanguage}.json.`),
        );
        const compiled = Object.fromEntries(
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
          contents: `export default ${JSON.stringify(compiled)}`,
          loader: 'js',
          watchFiles: [file, fallbackFile],
        };
      });
    },
  };
}

async function readMessages(file: string, errors: string[]): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
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
