import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { init } from 'es-module-lexer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BarrelIndex } from './barrel-index.ts';

let folder: string;
const toPath = (name: string) => path.join(folder, name);

beforeAll(async () => {
  await init;
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-barrel-'));
  const files = {
    'index.js':
      "export * from './button.js'; export { Field as FormField, default as plain } from './field.js'; import { " +
      "Deep } from './middle.js'; export { Deep }; export * as everything from './field.js';",
    'button.js': 'export const Button = 1, Ghost = 2; export function useButton() {} export class Shape {}',
    'field.js': 'const Field = 1; export { Field }; export default Field;',
    'middle.js': "export * from './deep.js';",
    'deep.js': 'export const Deep = 1;',
    'circle.js': "export * from './circle.js';",
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(toPath(name), text)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('BarrelIndex', () => {
  const createIndex = () => new BarrelIndex(async (specifier, from) => path.resolve(from, specifier));

  it.each([
    ['Button', 'button.js', 'Button'],
    ['Ghost', 'button.js', 'Ghost'],
    ['useButton', 'button.js', 'useButton'],
    ['Shape', 'button.js', 'Shape'],
    ['FormField', 'field.js', 'Field'],
    ['plain', 'field.js', 'default'],
    ['Deep', 'deep.js', 'Deep'],
    ['everything', 'field.js', '*'],
  ])('finds %s in %s', async (name, file, inner) => {
    expect(await createIndex().findExport(toPath('index.js'), name)).toEqual({ file: toPath(file), name: inner });
  });

  it('finds nothing for an unknown name, and terminates on cycles', async () => {
    expect(await createIndex().findExport(toPath('index.js'), 'Absent')).toBeUndefined();
    expect(await createIndex().findExport(toPath('circle.js'), 'Absent')).toBeUndefined();
  });
});
