import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { PasswordPolicy } from './password-policy.ts';
import { encodeCommonPasswords, readPasswordList } from './write-common-passwords.mjs';

const product = { login: { type: 'EMAIL_PW', providers: [] }, title: 'Acme Site Tours', shortName: 'Acme' } as const;
const owner = { username: 'ann.lee-smith@norsk-olje.example', name: 'Ann Lee Smith' };

describe('PasswordPolicy', () => {
  const policy = new PasswordPolicy(product);
  const catchRefusal = (password: string, by = policy): unknown => {
    try {
      by.assertFit(password, owner, '/password');
      return undefined;
    } catch (error) {
      return (error as { fields?: readonly { pointer: string; message: string }[] }).fields?.[0];
    }
  };

  it("[SEC-02] refuses fewer than twelve characters, or than the product's minimum", () => {
    const short = { pointer: '/password', message: 'core.validation.minLength', values: { min: 12 } };
    expect(catchRefusal('ofviolet pi')).toEqual(short);
    expect(catchRefusal('ofviolet pie')).toBeUndefined();
    const eight = new PasswordPolicy({ ...product, login: { ...product.login, minPasswordLength: 8 } });
    expect([catchRefusal('ofviole', eight), catchRefusal('ofviolet', eight)]).toEqual([
      { ...short, values: { min: 8 } },
      undefined,
    ]);
  });

  it('[SEC-02] counts characters of the compatibility form', () => {
    expect(catchRefusal('🔧🔩🪛🧰🔨🪚🔦🪜🧯⛑')).toMatchObject({ message: 'core.validation.minLength' });
    expect(catchRefusal('🔧🔩🪛🧰🔨🪚🔦🪜🧯⛑🦺🥾')).toBeUndefined();
    expect(catchRefusal('ﬃ ﬁ ﬂ olive')).toBeUndefined();
  });

  it('[SEC-02] accepts long passwords without digits, capitals or symbols', () => {
    expect(catchRefusal('the crane stands north of the flare')).toBeUndefined();
    expect(catchRefusal('x y '.concat('valve seven leaks '.repeat(12)))).toBeUndefined();
  });

  it.each([
    'relaxlikeme123',
    'RelaxLikeMe123',
    'iloveunicorns',
    'ｉｌｏｖｅｕｎｉｃｏｒｎｓ',
    'passwordpassword',
    'abcdefghijklm',
    '123456789012',
    '987654321098',
    'aaaaaaaaaaaaaaaa',
    'xyxyxyxyxyxyxy',
  ])('[SEC-02] refuses a common password or a simple sequence: %s', (password) => {
    expect(catchRefusal(password)).toEqual({ pointer: '/password', message: 'core.validation.passwordCommon' });
  });

  it.each([
    'Ann Lee Smith',
    'annleesmith1987',
    'SMITH.LEE.ANN',
    'htimseelnna7',
    'htims eel nna 77',
    'Ann.Lee-Smith@Norsk-Olje.example',
    'norskolje2026!',
    'Änn-Léé-Smith',
    '2024annlee2024',
    'acmesitetours',
    'Acme Smith 2026',
  ])("[SEC-02] refuses the person's name or address, or the product's name: %s", (password) => {
    expect(catchRefusal(password)).toEqual({ pointer: '/password', message: 'core.validation.passwordPersonal' });
  });

  it.each(['Smith walks to the flare', 'lee side of the crane', 'north sea 2026 annual'])(
    '[SEC-02] accepts passwords that merely contain such a word: %s',
    (password) => {
      expect(catchRefusal(password)).toBeUndefined();
    },
  );
});

describe('the list of common passwords', () => {
  it("[SEC-02] equals the package's list, with each of its 100,000 most common of eight or more characters", () => {
    const list = readPasswordList();
    expect(list.length).toBeGreaterThan(400_000);
    const stored = JSON.parse(readFileSync(new URL('./common-passwords.json', import.meta.url), 'utf8')) as unknown;
    expect(stored).toEqual(encodeCommonPasswords(list));
    const missed = list
      .slice(0, 100_000)
      .filter((line) => [...line.normalize('NFKC')].length >= 8 && !isCommonPassword(line));
    expect(missed).toEqual([]);
  });

  it('does not match uncommon passwords', () => {
    const wrong = Array.from({ length: 20_000 }, (_, index) => `valve ${index} leaks at the seam`).filter(
      isCommonPassword,
    );
    expect(wrong).toEqual([]);
  });
});
