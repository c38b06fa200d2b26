import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { auditOrigins } from '../../core/server/audit/audit-log.ts';
import { refusalReasons } from '../../core/server/auth/sign-in-audit.ts';
import { toActionMessage } from '../../plugins/audit-log/common/action-message.ts';
import english from '../../plugins/audit-log/web/messages/en.json' with { type: 'json' };
import french from '../../plugins/audit-log/web/messages/fr.json' with { type: 'json' };
import { listCatalogues, root } from './list-catalogues.ts';

/** An action with its owner, as the audit log stores it; `deactivated: 'account.…'` and conditions are found, too. */
const actionLiteral =
  /\baction(?::|\s*=)[^,;{}]*?'([a-zA-Z0-9-]+\.[a-zA-Z.]+)'(?:\s*:\s*'([a-zA-Z0-9-]+\.[a-zA-Z.]+)')?/g;

function listActions(): ReadonlyMap<string, string> {
  const actions = new Map<string, string>();
  for (const folder of ['core/server', 'plugins']) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const file = path.join(folder, name);
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || !file.includes('server/')) continue;
      for (const [, ...found] of readFileSync(path.join(root, file), 'utf8').matchAll(actionLiteral))
        for (const action of found) if (action) actions.set(action, file);
    }
  }
  return actions;
}

it('finds a text for every action of the audit log, in each language', () => {
  const actions = listActions();
  expect(actions.size).toBeGreaterThan(30);
  for (const language of ['en', 'fr']) {
    const texts: Record<string, string> = Object.assign(
      {},
      ...listCatalogues(new RegExp(`^${language}$`)).map((file) =>
        JSON.parse(readFileSync(path.join(root, file), 'utf8')),
      ),
    );
    expect(
      [...actions].filter(([action]) => !(toActionMessage(action) in texts)),
      language,
    ).toEqual([]);
  }
});

it('finds a text for every code in details of the audit log, and no others, in each language', () => {
  const codes = [
    ...auditOrigins.map((origin) => `by.${origin}`),
    ...refusalReasons.map((reason) => `reason.${reason}`),
  ];
  const expected = ['by', 'reason', ...codes].map((code) => `audit-log.detail.${code}`);
  for (const texts of [english, french])
    expect(
      Object.keys(texts)
        .filter((id) => id.startsWith('audit-log.detail.'))
        .toSorted(),
    ).toEqual(expected.toSorted());
});
