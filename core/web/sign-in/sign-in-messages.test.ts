import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import coreEnglish from '../i18n/messages/en.json' with { type: 'json' };
import coreFrench from '../i18n/messages/fr.json' with { type: 'json' };
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };
import { createFormatMessage } from './sign-in-messages.ts';
import stepEnglish from './second-factor/messages/en.json' with { type: 'json' };
import stepFrench from './second-factor/messages/fr.json' with { type: 'json' };

const listPlaceholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted();

describe('sign-in messages', () => {
  it('has the same ids and placeholders in French and English', () => {
    expect(Object.keys(french).toSorted()).toEqual(Object.keys(english).toSorted());
    expect(Object.keys(stepFrench).toSorted()).toEqual(Object.keys(stepEnglish).toSorted());
    const inFrench: Readonly<Record<string, string>> = french;
    for (const [id, text] of Object.entries(english))
      expect(listPlaceholders(inFrench[id] ?? ''), id).toEqual(listPlaceholders(text));
  });

  it("equals the application's messages with the same id", () => {
    const sharedIds = Object.keys(english).filter((id) => id in coreEnglish) as (keyof typeof english &
      keyof typeof coreEnglish)[];
    expect(sharedIds.length).toBeGreaterThan(3);
    for (const id of sharedIds) expect([english[id], french[id]]).toEqual([coreEnglish[id], coreFrench[id]]);
  });

  it('[SES-16] [VAL-02] [SES-14] matches the specification', () => {
    const text = createFormatMessage('en');
    expect(text('core.signIn.failed.credentials')).toBe('Invalid credentials. Please check again');
    expect(text('core.validation.password')).toBe('Authentication requires password');
    expect(text('core.signIn.failed.userData')).toBe('Issue while getting user data');
  });

  it('contains no unused message', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
      .join('');
    expect(
      Object.keys({ ...english, ...stepEnglish }).filter(
        (id) => id.startsWith('core.signIn.') && !sources.includes(`'${id}'`) && !sources.includes(`"${id}"`),
      ),
    ).toEqual([]);
  });

  it('replaces placeholders', () => {
    expect(createFormatMessage('en')('core.signIn.failed.throttled', { seconds: 42 })).toContain('42 seconds');
    expect(createFormatMessage('fr')('core.signIn.with', { provider: 'Contoso' })).toBe('Se connecter avec Contoso');
  });
});
