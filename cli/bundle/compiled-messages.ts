import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'esbuild';
import type { Language } from '#core';

const messageFile = /[\\/]messages[\\/](en|fr)\.json$/;
/** What another language lacks falls back to this one. */
const fallback: Language = 'en';

/**
 * Compiles messages, so that no parser is fetched: each `messages/<language>.json` becomes a module whose default
 * export holds parsed ICU messages by id. English lies under every other language. A language that the product does not
 * have is empty. An import `with { type: 'json' }` asks for the texts as they stand, and is given these.
 */
export function compiledMessages(languages: readonly Language[]): Plugin {
  return {
    name: 'compiled-messages',
    setup(build) {
      build.onLoad({ filter: messageFile }, async ({ path: file, with: attributes }) => {
        if (attributes.type === 'json') return undefined;
        const language = messageFile.exec(file)?.[1] as Language;
        const english = path.join(path.dirname(file), `${fallback}.json`);
        if (!languages.includes(language) && language !== fallback)
          return { contents: 'export default {}', loader: 'js', watchFiles: [file] };
        const errors: string[] = [];
        const own = await readMessages(file, errors);
        const under = language === fallback ? own : await readMessages(english, errors);
        errors.push(
          ...Object.keys(own)
            .filter((id) => !(id in under))
            .map((id) => `'${id}' is not in ${fallback}.json.`),
        );
        const compiled = Object.fromEntries(
          Object.entries({ ...under, ...own })
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
        return { contents: `export default ${JSON.stringify(compiled)}`, loader: 'js', watchFiles: [file, english] };
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
      `The message '${id}' is no ICU MessageFormat: ${error instanceof Error ? error.message : String(error)}. A ` +
        'brace or an angle bracket that is text stands between apostrophes.',
    );
    return [];
  }
}
