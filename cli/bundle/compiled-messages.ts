import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'esbuild';
import type { Language } from '#core';

const messageFile = /[\\/]messages[\\/](en|fr)\.json$/;
/** Fallback for missing messages of other languages. */
const fallback: Language = 'en';

/**
 * Compiles each `messages/<language>.json` to a module of parsed ICU messages by id, so that no parser is downloaded.
 * Missing messages fall back to English; languages outside of the product are empty. Imports `with { type: 'json' }`
 * get the texts unchanged.
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
