import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const project = process.cwd();
let root: string;
let findings: readonly string[];

interface OxlintReport {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly filename: string }[];
}

const violations: readonly (readonly [title: string, file: string, rule: string, source: string])[] = [
  [
    'a conditional hook',
    'core/web/conditional-hook.tsx',
    'react-hooks(rules-of-hooks)',
    `import { useState } from 'react';
export function Planted({ on }: { readonly on: boolean }) {
  if (!on) return null;
  const [count] = useState(0);
  return <p>{count}</p>;
}`,
  ],
  [
    'an effect without one of its dependencies',
    'core/web/missing-dependency.tsx',
    'react-hooks(exhaustive-deps)',
    `import { useEffect } from 'react';
export function Planted({ id, load }: { readonly id: string; readonly load: (id: string) => void }) {
  useEffect(() => load(id), [load]);
  return null;
}`,
  ],
  [
    'a useResource without one of its dependencies',
    'core/web/missing-resource-dependency.tsx',
    'react-hooks(exhaustive-deps)',
    `import { useResource } from '#core/web';
export function Planted({ id, load }: { readonly id: string; readonly load: (id: string) => Promise<string> }) {
  return <p>{useResource(() => load(id), [load]).value}</p>;
}`,
  ],
  [
    'an img without alt',
    'plugins/tour/web/img-without-alt.tsx',
    'jsx-a11y(alt-text)',
    `export const Planted = () => <img src="plan.png" />;`,
  ],
  [
    'an Image of the kit without alt',
    'plugins/tour/web/kit-image-without-alt.tsx',
    'jsx-a11y(alt-text)',
    `import { Image } from '#core/ui';
export const Planted = () => <Image src="plan.png" />;`,
  ],
  [
    'a clickable div',
    'plugins/tour/web/clickable-div.tsx',
    'jsx-a11y(no-static-element-interactions)',
    `export const Planted = ({ open }: { readonly open: () => void }) => <div onClick={open}>Open</div>;`,
  ],
  [
    'a clickable Text of the kit',
    'plugins/tour/web/clickable-text.tsx',
    'jsx-a11y(click-events-have-key-events)',
    `import { Text } from '#core/ui';
export const Planted = ({ open }: { readonly open: () => void }) => <Text onClick={open}>Open</Text>;`,
  ],
  [
    'an outdated identifier',
    'core/web/old-name.ts',
    'walkdown(old-names)',
    'export const parts = (TokenKeeper: string) => TokenKeeper.length;',
  ],
  [
    'a value that is named with a participle alone',
    'core/web/participle-name.ts',
    'walkdown(participle-names)',
    'export const count = (codes: readonly string[], found = codes.at(-1)) => found?.length;',
  ],
  [
    "a plugin that searches the tour's frame",
    'plugins/annotate/web/frame-search.ts',
    'walkdown(dom-searches)',
    `export const toolBarOf = (button: HTMLElement) => button.closest('[role="toolbar"]');`,
  ],
  [
    "a plugin's id in core",
    'core/web/kernel/plugin-id.ts',
    'walkdown(core-names)',
    `export const settings = (of: (plugin: string) => unknown) => of('tour');`,
  ],
  [
    "a plugin's id in a test of core",
    'core/web/ids.test.ts',
    'walkdown(core-names)',
    `export const title = 'tour.title';`,
  ],
  [
    "an id that begins with a plugin's, composed in core",
    'core/server/composed.ts',
    'walkdown(core-names)',
    'export const titleOf = (name: string) => `tour.${name}`;',
  ],
  [
    "a reserved word of the server's accounts elsewhere in core",
    'core/web/account-word.ts',
    'walkdown(core-names)',
    `export const plugin = 'account';`,
  ],
  ...(
    [
      ['nullable', `const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);`],
      ['Point', `const Position = Type.Unsafe<Point3>(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }));`],
      ['LocationUid', `const Location = Type.String({ minLength: 1, maxLength: 64 });`],
      [
        'Uid',
        `const Chosen = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' });`,
      ],
    ] as const
  ).map(
    ([name, source]) =>
      [
        `a copy of ${name} in a contract`,
        `plugins/tour/contract/copy-of-${name.toLowerCase()}.ts`,
        'contracts(shared-shapes)',
        `import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Point3 } from '#core';
export ${source}
export type Planted = [TSchema, Point3];`,
      ] as const,
  ),
  ['console.log in core', 'core/common/console.ts', 'eslint(no-console)', `console.log('planted');`],
  ['console.log in a plugin', 'plugins/tour/server/console.ts', 'eslint(no-console)', `console.log('planted');`],
];
const consoleFiles = ['cli/console.ts', 'tests/console.ts'];
const ownShapesFile = 'plugins/tour/contract/own-shapes.ts';

const allowedNames: readonly (readonly [title: string, file: string, source: string])[] = [
  ['begins with a longer word', 'core/common/longer.ts', `export const id = 'tourSession';`],
  ['names a property of a type', 'core/common/type.ts', `export type Open = { readonly tour: 1 }['tour'];`],
  ['is a reserved word of the server', 'core/server/account-word.ts', `export const column = 'account';`],
  ['belongs to a plugin itself', 'plugins/account/web/own.ts', `export const title = 'account.title';`],
];

/** Lints the planted files once for all tests, with the project's configuration. */
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-lint-'));
  await cp(path.join(project, 'cli/lint'), path.join(root, 'cli/lint'), { recursive: true });
  await cp(path.join(project, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'));
  await symlink(path.join(project, 'node_modules'), path.join(root, 'node_modules'));
  for (const [file, source] of [
    ...violations.map(([, name, , code]) => [name, code] as const),
    ...consoleFiles.map((name) => [name, `console.log('allowed');`] as const),
    ...allowedNames.map(([, name, code]) => [name, code] as const),
    [
      ownShapesFile,
      `import { Type } from 'typebox';
import { nullable, Point } from '#core/api';
export const Place = Type.Object({ position: nullable(Point), kind: Type.Union([Type.Literal('A'), Type.Literal('B')]) });
export const Name = Type.String({ minLength: 1, maxLength: 120 });`,
    ] as const,
  ]) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), `${source}\n`);
  }
  const { stdout } = await run(path.join(project, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: root,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as OxlintReport;
  findings = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, filename }) => `${filename.replaceAll('\\', '/')} ${code}`);
});
afterAll(() => rm(root, { recursive: true }));

describe('lint rules', () => {
  for (const [title, file, rule] of violations)
    it(`refuse ${title}`, () => {
      expect(findings).toContain(`${file} ${rule}`);
    });

  for (const [title, file] of allowedNames)
    it(`allow a plugin's id that ${title}`, () => {
      expect(findings.filter((finding) => finding.startsWith(file))).toEqual([]);
    });
  it('allow a contract to declare types', () => {
    expect(findings.filter((finding) => finding.startsWith(ownShapesFile))).toEqual([]);
  });

  it('allow console output in the command line and in tests', () => {
    expect(findings.filter((finding) => consoleFiles.some((file) => finding.startsWith(file)))).toEqual([]);
  });
});
