import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readApiUrl } from '../../cli/bundle/api-url.ts';
import { buildFixture } from './build-fixture.ts';

describe('[API-14] base URL of the API', () => {
  it('is in both pages, and their policy allows calls to it', async () => {
    const { out, remove } = await buildFixture('fixture-none', { apiUrl: 'https://api.example.com/plant' });
    for (const name of ['index.html', 'login.html']) {
      const page = await readFile(path.join(out, 'web', name), 'utf8');
      expect(page).toContain('<meta name="api-base" content="https://api.example.com/plant">');
      expect(page).toContain("connect-src 'self' https://api.example.com;");
      expect(page).toContain("img-src 'self' https://api.example.com data: blob:;");
      expect(page).toContain("media-src 'self' https://api.example.com blob:;");
    }
    await remove();
  });

  it('comes from the environment, without trailing slashes', () => {
    expect(readApiUrl({ WALKDOWN_API_ADDRESS: 'https://api.example.com/' }, expect.fail)).toBe(
      'https://api.example.com',
    );
    expect(readApiUrl({}, expect.fail)).toBeUndefined();
  });

  it('[PRO-19] falls back to the default with a warning if it is invalid', () => {
    const warnings: string[] = [];
    expect(
      readApiUrl({ WALKDOWN_API_ADDRESS: 'javascript:alert(1)' }, (sentence) => warnings.push(sentence)),
    ).toBeUndefined();
    expect(warnings.join()).toMatch(/WALKDOWN_API_ADDRESS is 'javascript:alert\(1\)'/);
  });
});
