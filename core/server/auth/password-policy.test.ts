import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { PasswordPolicy } from './password-policy.ts';
import { encodeCommonPasswords, readPasswordList } from './write-common-passwords.mjs';

const product = { login: { type: 'EMAIL_PW', providers: [] }, title: 'Acme Site Tours', shortName: 'Acme' } as const;
const owner = { username: 'ann.lee-smith@norsk-olje.example', name: 'Ann Lee Smith' };

describe('PasswordPolicy', () => {
  const policy = new PasswordPolicy(product);
  const findRefusal = (password: string, checkedPolicy = policy): unknown => {
    try {
      checkedPolicy.assertAcceptable(password, owner, '/password');
      return undefined;
    } catch (error) {
      return (error as { fields?: readonly { pointer: string; message: string }[] }).fields?.[0];
    }
  };

  it("[SEC-02] refuses fewer than twelve characters, or than the product's minimum", () => {
    const short = { pointer: '/password', message: 'core.validation.minLength', values: { min: 12 } };
    expect(findRefusal('ofviolet pi')).toEqual(short);
    expect(findRefusal('ofviolet pie')).toBeUndefined();
    const shorterPolicy = new PasswordPolicy({ ...product, login: { ...product.login, minPasswordLength: 8 } });
    expect([findRefusal('ofviole', shorterPolicy), findRefusal('ofviolet', shorterPolicy)]).toEqual([
      { ...short, values: { min: 8 } },
      undefined,
    ]);
  });

  it('[SEC-02] counts characters of the compatibility form', () => {
    expect(findRefusal('🔧🔩🪛🧰🔨🪚🔦🪜🧯⛑')).toMatchObject({ message: 'core.validation.minLength' });
    expect(findRefusal('🔧🔩🪛🧰🔨🪚🔦🪜🧯⛑🦺🥾')).toBeUndefined();
    expect(findRefusal('ﬃ ﬁ ﬂ olive')).toBeUndefined();
  });

  it('[SEC-02] accepts long passwords without digits, capitals or symbols', () => {
    expect(findRefusal('the crane stands north of the flare')).toBeUndefined();
    expect(findRefusal('x y '.concat('valve seven leaks '.repeat(12)))).toBeUndefined();
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
    expect(findRefusal(password)).toEqual({ pointer: '/password', message: 'core.validation.passwordCommon' });
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
    expect(findRefusal(password)).toEqual({ pointer: '/password', message: 'core.validation.passwordPersonal' });
  });

  it.each(['Smith walks to the flare', 'lee side of the crane', 'north sea 2026 annual'])(
    '[SEC-02] accepts a password that contains a name among other words: %s',
    (password) => {
      expect(findRefusal(password)).toBeUndefined();
    },
  );
});

describe('the list of common passwords', () => {
  it("[SEC-02] is generated from the package's list, and matches its 100,000 most common passwords", () => {
    const list = readPasswordList();
    expect(list.length).toBeGreaterThan(400_000);
    const storedList = JSON.parse(readFileSync(new URL('./common-passwords.json', import.meta.url), 'utf8')) as unknown;
    expect(storedList).toEqual(encodeCommonPasswords(list));
    const missedPasswords = list
      .slice(0, 100_000)
      .filter((line) => [...line.normalize('NFKC')].length >= 8 && !isCommonPassword(line));
    expect(missedPasswords).toEqual([]);
  });

  it('does not match uncommon passwords', () => {
    const falseMatches = Array.from({ length: 20_000 }, (_, index) => `valve ${index} leaks at the seam`).filter(
      isCommonPassword,
    );
    expect(falseMatches).toEqual([]);
  });
});
