import path from 'node:path';
import { act, screen } from '@testing-library/react';
import { startTransition, Suspense, useState } from 'react';
import { autorun } from 'mobx';
import { describe, expect, it, vi } from 'vitest';
import { accessFlags, broadcastTypes, errorCodes, validationMessages } from '#core';
import { Message, PluginScope, useService, useText, type InstalledPlugin } from '#core/web';
import { validationTexts } from '#core/api';
import { FakeServer, findRefusalProblems, renderScreen, createWebHarness } from '#core/testing/web';
import { I18n } from '../kernel/services.ts';
import { toRestrictedArea } from '../router/route-table.ts';
import { useMessages } from './use-messages.ts';
import en from './messages/en.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };

const plugin: InstalledPlugin = {
  id: 'fixture',
  settings: {},
  bridges: [],
  web: {
    messages: {
      en: async () => ({
        default: {
          'fixture.hello': 'Hello {name}',
          'fixture.count': '{n, plural, one {# tag} other {# tags}}',
          'fixture.bold': '<b>Bold</b> words',
          'fixture.onlyEnglish': 'Only here',
        },
      }),
      fr: async () => ({ default: { 'fixture.hello': 'Bonjour {name}' } }),
    },
  },
};

function MessageList() {
  const t = useText();
  return (
    <p>
      {t('fixture.hello', { name: 'Ada' })}; {t('fixture.onlyEnglish')}; {t('fixture.count', { n: 1234567 })};{' '}
      <Message id="fixture.bold" values={{ b: (text) => <strong>{text}</strong> }} />
    </p>
  );
}

describe('I18nService', () => {
  it('formats rich text and Indian grouping', async () => {
    await renderScreen(<MessageList />, { plugins: [plugin] });
    expect(screen.getByText(/Hello/).textContent).toBe('Hello Ada; Only here; 12,34,567 tags; Bold words');
    expect(screen.getByText('Bold').tagName).toBe('STRONG');
  });

  it("[PRO-20] switches to French on the open page, with English as fallback and the page's `lang`", async () => {
    const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await renderScreen(<MessageList />, { plugins: [plugin], server });
    expect(document.documentElement.lang).toBe('en');
    await act(() => core.i18n.setLanguage('fr'));
    expect(screen.getByText(/Bonjour/).textContent).toContain('Bonjour Ada; Only here');
    expect(document.documentElement.lang).toBe('fr');
    expect(document.cookie).toContain('language=fr');
    await vi.waitFor(() => expect(core.session.me?.preferences.language).toBe('fr'));
    expect(server.requests.at(-1)?.header('accept-language')).toBe('fr');
  });

  it("[PRO-20] uses the person's saved language", async () => {
    const { core } = await createWebHarness({
      plugins: [plugin],
      me: { ...(await createWebHarness()).core.session.me!, preferences: { language: 'fr' } },
    });
    await vi.waitFor(() => expect(core.i18n.language).toBe('fr'));
  });

  /** Messages whose loading the test finishes. */
  function createDelayedLoad(messages: Readonly<Record<string, string>>) {
    let finishLoading: () => void = () => undefined;
    const pendingModule = new Promise<{ default: Readonly<Record<string, string>> }>((resolve) => {
      finishLoading = () => resolve({ default: messages });
    });
    return { load: () => pendingModule, finishLoading };
  }

  it('[PRO-20] loads a plugin first requested during a language change in the new language', async () => {
    const french = createDelayedLoad({ 'fixture.hello': 'Bonjour {name}' });
    const parts: readonly InstalledPlugin[] = [
      {
        ...plugin,
        web: { messages: { en: async () => ({ default: { 'fixture.hello': 'Hello {name}' } }), fr: french.load } },
      },
      {
        ...plugin,
        id: 'late',
        web: {
          messages: {
            en: async () => ({ default: { 'late.title': 'Late' } }),
            fr: async () => ({ default: { 'late.title': 'Tard' } }),
          },
        },
      },
    ];
    const { core } = await createWebHarness({ plugins: parts });
    await core.i18n.loadAllMessages(['fixture']);
    const languageChange = core.i18n.applyLanguage('fr');
    await core.i18n.loadAllMessages(['late']);
    expect(core.i18n.text('late.title')).toBe('Late');
    french.finishLoading();
    await languageChange;
    await core.i18n.loadAllMessages(['late']);
    expect([core.i18n.text('late.title'), core.i18n.text('fixture.hello', { name: 'Ada' })]).toEqual([
      'Tard',
      'Bonjour Ada',
    ]);
  });

  it('[PRO-20] uses the language chosen last, in any order of loading', async () => {
    const french = createDelayedLoad({ 'fixture.hello': 'Bonjour {name}' });
    const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await createWebHarness({
      server,
      plugins: [
        {
          ...plugin,
          web: { messages: { en: async () => ({ default: { 'fixture.hello': 'Hello {name}' } }), fr: french.load } },
        },
      ],
    });
    await core.i18n.loadAllMessages(['fixture']);
    const first = core.i18n.setLanguage('fr');
    await core.i18n.setLanguage('en');
    french.finishLoading();
    await first;
    expect([
      core.i18n.language,
      document.documentElement.lang,
      core.i18n.text('fixture.hello', { name: 'Ada' }),
    ]).toEqual(['en', 'en', 'Hello Ada']);
    expect(document.cookie).toContain('language=en');
    await vi.waitFor(() =>
      expect(server.sentTo('PUT /api/me/preferences').map(({ body }) => body)).toEqual([{ language: 'en' }]),
    );
  });

  it('[PRO-20] updates mounted components if the language changed twice before a plugin was loaded', async () => {
    const french = createDelayedLoad({ 'fixture.hello': 'Bonjour {name}' });
    const parts: readonly InstalledPlugin[] = [
      {
        ...plugin,
        web: { messages: { en: async () => ({ default: { 'fixture.hello': 'Hello {name}' } }), fr: french.load } },
      },
      {
        ...plugin,
        id: 'late',
        web: {
          messages: {
            en: async () => ({ default: { 'late.title': 'Late' } }),
            fr: async () => ({ default: { 'late.title': 'Tard' } }),
          },
        },
      },
    ];
    const { core } = await createWebHarness({ plugins: parts });
    await core.i18n.loadAllMessages(['fixture']);
    // The person's preferences are read twice while messages load, as on a slow phone.
    const changes = [core.i18n.applyLanguage('fr'), core.i18n.applyLanguage('fr')];
    // Renders on each change, like a screen.
    const stop = autorun(() => void core.i18n.intl);
    french.finishLoading();
    await Promise.all(changes);
    stop();
    await core.i18n.loadAllMessages(['late']);
    expect(core.i18n.text('late.title')).toBe('Tard');
  });

  it('rejects the waiting caller if messages fail to load, and retries for the next caller', async () => {
    vi.useFakeTimers();
    try {
      let broken = true;
      const load = async () => {
        if (broken) throw new TypeError('Failed to fetch');
        return { default: { 'fixture.hello': 'Hello {name}' } };
      };
      const { core } = await createWebHarness({ plugins: [{ ...plugin, web: { messages: { en: load, fr: load } } }] });
      // A request without a waiting caller.
      void core.i18n.loadMessages('fixture');
      await vi.advanceTimersByTimeAsync(5_000);
      broken = false;
      await core.i18n.loadMessages('fixture');
      expect(core.i18n.text('fixture.hello', { name: 'Ada' })).toBe('Hello Ada');
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects a language that the product lacks', async () => {
    const { core } = await createWebHarness();
    await expect(core.i18n.setLanguage('de' as never)).rejects.toThrow(/no language 'de', only en, fr/);
  });

  it('shows the id of an unknown message and logs why', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    function Absent() {
      return <p>{useService(I18n).text('fixture.absent')}</p>;
    }
    await renderScreen(<Absent />, { plugins: [plugin] });
    expect(screen.getByText('fixture.absent')).toBeDefined();
    expect(log.mock.calls.flat().join(' ')).toContain("There is no message 'fixture.absent'");
    log.mockRestore();
  });
});

describe('core messages', () => {
  const english: Readonly<Record<string, string>> = en;
  const french: Readonly<Record<string, string>> = fr;

  it('[PRO-20] has the same ids and placeholders in French and English', () => {
    expect(Object.keys(french).toSorted()).toEqual(Object.keys(english).toSorted());
    const placeholders = (text: string | undefined) =>
      [...new Set([...(text ?? '').matchAll(/\{(\w+)/g)].map((match) => match[1]))].toSorted();
    for (const id of Object.keys(english)) expect(placeholders(french[id]), id).toEqual(placeholders(english[id]));
  });

  it.each([
    ['[VAL-01]', validationMessages.mandatory, {}, 'This is Mandatory'],
    ['[VAL-01]', validationMessages.mandatoryField, {}, 'This is a mandatory field'],
    ['[VAL-02]', validationMessages.password, {}, 'Authentication requires password'],
    ['[VAL-03]', validationMessages.positive, {}, 'Negative values are not allowed'],
    ['[VAL-04]', validationMessages.integer, {}, 'Decimals not allowed'],
    ['[VAL-05]', validationMessages.max, { max: 1000 }, 'Max value is 1000'],
    ['[VAL-05]', validationMessages.maxLength, { max: 80 }, 'Max length 80 chars'],
    ['[VAL-06]', validationMessages.min, { min: 3 }, 'Min value is 3'],
    ['[VAL-06]', validationMessages.minLength, { min: 8 }, 'Min length 8 chars'],
    ['[VAL-07]', validationMessages.decimals, { count: 2 }, 'Enter only 2 decimal value(s)'],
    ['[VAL-07]', validationMessages.integerDigits, { count: 3 }, 'Enter at most 3 digits before the decimal point'],
    ['[VAL-08]', validationMessages.number, {}, 'Enter Number'],
    ['[VAL-08]', validationMessages.onlyNumbers, {}, 'Only numbers are allowed'],
    ['[VAL-09]', validationMessages.fileType, {}, 'Please choose valid file.'],
    ['[VAL-10]', validationMessages.duplicate, { value: 'HB-P01' }, 'Duplicate value HB-P01 found'],
    ['[VAL-11]', validationMessages.specialChars, {}, 'Special chars are not allowed'],
    ['[VAL-11]', validationMessages.specialCharsExceptDash, {}, 'Special chars except dash (-) are not allowed'],
    ['[ERR-01]', 'core.error.E000', {}, 'An error occurred. Please refresh page'],
    ['[SES-16]', 'core.error.E001', {}, 'Invalid credentials. Please check again'],
    ['[SES-05]', 'core.error.E006', {}, 'Your Account is Inactive'],
    ['[SES-06]', 'core.session.failedToRenew', {}, 'Failed to renew token'],
    ['[SES-14]', 'core.session.userData', {}, 'Issue while getting user data'],
  ])('%s %s has the specified text', async (_, id, values, text) => {
    const { core } = await createWebHarness();
    await core.i18n.loadAllMessages(['core']);
    expect(core.i18n.text(id, values)).toBe(text);
  });

  it('[ACC-03] has a no-access message for every flag that refers to the admin', () => {
    for (const thing of [...accessFlags.map(toRestrictedArea), 'tools'])
      expect(english[`core.noAccess.${thing}`], thing).toMatch(/^You do not have access to/);
    expect(english['core.noAccess.request']).toBe('Please request access from the admin.');
  });

  it('[PRO-20] covers each refusal of the server in both languages', () => {
    const core = path.resolve(import.meta.dirname, '../..');
    expect(
      findRefusalProblems({
        owner: 'core',
        messages: path.join(core, 'common/api/messages'),
        sources: [path.join(core, 'server')],
      }),
    ).toEqual([]);
  });

  it('has the texts of rules that the server writes into workbooks', () => {
    const { 'core.validation.integerDigits': _plural, ...written } = validationTexts.en;
    expect(english).toMatchObject(written);
    expect(Object.keys(validationTexts.fr)).toEqual(Object.keys(validationTexts.en));
    for (const id of Object.values(validationMessages)) expect(validationTexts.en, id).toHaveProperty([id]);
  });

  it('covers every error code and rule', () => {
    for (const code of Object.values(errorCodes)) expect(english, code).toHaveProperty([`core.error.${code}`]);
    for (const id of Object.values(validationMessages)) expect(english, id).toHaveProperty([id]);
  });

  it('[ACC-01] [SES-07] uses the closed lists of the specification', () => {
    expect(accessFlags).toEqual([
      'userManagement',
      'import',
      'configure',
      'tourDashboardAccess',
      'permitDashboardAccess',
      'vrAccess',
      'scanAccess',
      'threeDimensionalAccess',
      'permitAccess',
      'pidAccess',
    ]);
    expect(broadcastTypes).toEqual(['LOGOUT', 'LOGIN', 'RELOAD', 'TOKEN_VALID', 'TOKEN_INVALID']);
  });
});

describe('messages of several plugins', () => {
  function Titles() {
    const t = useText();
    useMessages(['first', 'second']);
    return <p>{`${t('first.title')}, ${t('second.title')}`}</p>;
  }

  it('[PRO-20] waits for the messages of all plugins, even if they load one after the other', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let finishLoading: () => void = () => undefined;
    const lateModule = new Promise<{ default: Readonly<Record<string, string>> }>(
      (resolve) => (finishLoading = () => resolve({ default: { 'second.title': 'Second' } })),
    );
    const parts: readonly InstalledPlugin[] = [
      plugin,
      {
        id: 'first',
        settings: {},
        bridges: [],
        web: { messages: { en: async () => ({ default: { 'first.title': 'First' } }) } },
      },
      { id: 'second', settings: {}, bridges: [], web: { messages: { en: () => lateModule } } },
    ];
    function Pages() {
      const [open, setOpen] = useState(false);
      return open ? <Titles /> : <button onClick={() => startTransition(() => setOpen(true))}>Turn</button>;
    }
    await renderScreen(<Pages />, { plugins: parts, plugin: 'fixture' });
    // Makes React render as in a browser. Inside `act` it never continues a started render.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    try {
      const loadEnglish = vi.spyOn(parts[2]!.web.messages!, 'en');
      screen.getByRole('button').click();
      await vi.waitFor(() => expect(loadEnglish).toHaveBeenCalled());
      // In a later task the started render has finished or is suspended.
      await new Promise((resolve) => setTimeout(resolve));
      finishLoading();
      expect(await screen.findByText('First, Second')).toBeDefined();
    } finally {
      vi.unstubAllGlobals();
    }
    expect(log.mock.calls.flat().join(' ')).not.toContain('There is no message');
    log.mockRestore();
  });
});

describe('PluginScope', () => {
  it("renders nothing before its plugin's messages are loaded", async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let finishLoading: (() => void) | undefined;
    const latePlugin: InstalledPlugin = {
      id: 'late',
      settings: {},
      bridges: [],
      web: {
        messages: {
          en: () =>
            new Promise((resolve) => (finishLoading = () => resolve({ default: { 'late.words': 'Late words' } }))),
        },
      },
    };
    const { findByText, queryByText } = await renderScreen(
      <Suspense fallback="waiting">
        <PluginScope plugin="late">
          <Message id="late.words" />
        </PluginScope>
      </Suspense>,
      { plugins: [plugin, latePlugin], plugin: 'fixture' },
    );
    expect(queryByText('waiting')).not.toBeNull();
    await act(async () => finishLoading?.());
    await findByText('Late words');
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });
});
