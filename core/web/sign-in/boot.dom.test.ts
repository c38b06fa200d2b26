import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { basePath } from '#core';
import { boot, type BootPage } from './boot.ts';

const page: BootPage = {
  basePath,
  languages: ['en', 'fr'],
  screens: { login: 'login', adminlogin: 'adminLogin', 'login/forgot': 'forgot' },
};

function setup({ path = '/login', cookies = [] as readonly string[], languages = ['en-GB'] } = {}) {
  history.replaceState(null, '', basePath + path);
  for (const cookie of cookies) document.cookie = `${cookie}; Path=/`;
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  // The page contains the function as source text, without a surrounding scope.
  new Function(`(${boot.toString()})(${JSON.stringify(page)})`)();
  return { html: document.documentElement, rendered: document.getElementById('root')?.textContent };
}

beforeEach(() => {
  const templates = ['login', 'adminLogin', 'forgot'].flatMap((screen) =>
    page.languages.map((language) => `<template id="${screen}.${language}"><p>${screen} ${language}</p></template>`),
  );
  document.body.innerHTML = `<div id="root"></div>${templates.join('')}`;
  document.documentElement.dataset['theme'] = 'system';
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const name of ['theme', 'language', 'username', 'isAdmin']) document.cookie = `${name}=; Path=/; Max-Age=0`;
  delete document.documentElement.dataset['resuming'];
  delete document.documentElement.dataset['submitted'];
  document.onsubmit = document.oninput = null;
});

describe('boot', () => {
  it('shows the screen of the URL in the language of the browser', () => {
    expect(setup({ languages: ['de', 'fr-CA', 'en'] }).rendered).toBe('login fr');
    expect(document.documentElement.lang).toBe('fr');
  });

  it('[PRO-20] prefers the language chosen on this device, and falls back to English', () => {
    expect(setup({ path: '/login/forgot', cookies: ['language=fr'] }).rendered).toBe('forgot fr');
    document.cookie = 'language=; Path=/; Max-Age=0';
    document.getElementById('root')?.replaceChildren();
    expect(setup({ path: '/adminlogin/', languages: ['de'] }).rendered).toBe('adminLogin en');
  });

  it('applies the theme chosen on this device', () => {
    expect(setup().html.dataset['theme']).toBe('system');
    expect(setup({ cookies: ['theme=contrast'] }).html.dataset['theme']).toBe('contrast');
  });

  it('hides the form if a session may exist, unless the URL has a reason for the login', () => {
    expect(setup().html.dataset['resuming']).toBeUndefined();
    expect(
      setup({ path: '/login?error=userData', cookies: ['username=ada'] }).html.dataset['resuming'],
    ).toBeUndefined();
    expect(setup({ path: '/login/forgot', cookies: ['username=ada'] }).html.dataset['resuming']).toBeUndefined();
    expect(setup({ cookies: ['username=ada'] }).html.dataset['resuming']).toBe('');
  });

  it('hides the form of the admin login only if an admin session may exist', () => {
    expect(
      setup({ path: '/adminlogin', cookies: ['username=ada', 'isAdmin=false'] }).html.dataset['resuming'],
    ).toBeUndefined();
    expect(setup({ path: '/adminlogin', cookies: ['isAdmin=true'] }).html.dataset['resuming']).toBe('');
  });

  it('records a submission before hydration', () => {
    const { html } = setup();
    document.body.insertAdjacentHTML('beforeend', '<form method="dialog"><button>Login</button></form>');
    expect(html.dataset['submitted']).toBeUndefined();
    document.querySelector('button')?.click();
    expect(html.dataset['submitted']).toBe('');
    document.body.dispatchEvent(new Event('input', { bubbles: true }));
    expect(html.dataset['submitted']).toBeUndefined();
  });

  it('only sets theme and language on a page without prerendered screens', () => {
    document.body.innerHTML = '<div id="root"></div>';
    const { html, rendered } = setup({ cookies: ['theme=dark', 'username=ada'], languages: ['fr'] });
    expect([html.lang, html.dataset['theme'], html.dataset['resuming'], rendered]).toEqual([
      'fr',
      'dark',
      undefined,
      '',
    ]);
  });
});
