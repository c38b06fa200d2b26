import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describePluginIdProblem } from '#core';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, jsonOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface NewPluginOptions extends CommonOptions {
  readonly into: string;
}

/** `walkdown new plugin <id>`: creates a plugin with a route, menu item, tour module, endpoints, table and tests. */
export const addNewPluginCommand: AddCommand = (program) => {
  const group = program.command('new').description('start something new from a template');
  const command = group
    .command('plugin')
    .argument('<id>', "the plugin's id: lower case words joined by dashes, such as spare-parts")
    .description('write a plugin that builds and passes its tests, to start from')
    .option('--into <folder>', 'the folder of plugins', path.join(projectRoot, 'plugins'))
    .addOption(jsonOption())
    .action(
      createAction<NewPluginOptions>(async ({ into }, output, self) => {
        const id = self.args[0] ?? '';
        const files = await writePlugin(id, path.resolve(into));
        output.printResult(
          { id, files },
          [
            `Wrote ${files.length} files:`,
            ...files.map((file) => `  ${file}`),
            '',
            `Switch it on in a profile ("plugins": { "${id}": {} }), then: npx walkdown dev. The guide: ` +
              'docs/guides/new-plugin.md',
          ].join('\n'),
        );
      }),
    );
  withExamples(command, ['walkdown new plugin spare-parts']);
  withExamples(group, ['walkdown new plugin spare-parts']);
};

/** Writes the template to `<folder>/<id>` and returns the display paths of its files. */
export async function writePlugin(id: string, folder: string): Promise<string[]> {
  const problem = describePluginIdProblem(id);
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [{ cause: problem, remedy: 'Choose another id, such as spare-parts.' }]);
  const target = path.join(folder, id);
  await mkdir(folder, { recursive: true });
  await mkdir(target).catch((cause: unknown) => {
    throw new CliError(
      exitCodes.usage,
      [{ file: target, cause: 'There is already a plugin with this name.', remedy: 'Choose another id.' }],
      { cause },
    );
  });
  const template = path.join(projectRoot, 'cli', 'templates', 'plugin');
  const templateFiles = (await readdir(template, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(template, path.join(entry.parentPath, entry.name)));
  const fill = createTemplateFiller(id);
  return Promise.all(
    templateFiles.sort().map(async (name) => {
      const file = path.join(target, fill(name.replace(/\.txt$/, '')));
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, fill(await readFile(path.join(template, name), 'utf8')));
      return displayPath(file);
    }),
  );
}

function createTemplateFiller(id: string): (text: string) => string {
  const words = id.split('-');
  const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const camel = words.map((word, index) => (index === 0 ? word : capitalise(word))).join('');
  const values: Readonly<Record<string, string>> = {
    id,
    schema: id.replaceAll('-', '_'),
    name: camel,
    Name: capitalise(camel),
    Title: capitalise(words.join(' ')),
    Short: capitalise(words[0] ?? id).slice(0, 5),
  };
  return (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
