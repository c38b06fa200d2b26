import { computed, makeObservable, observableRef, runInAction } from 'mobx';
import { createIntl, createIntlCache, ReactIntlErrorCode, type IntlShape } from 'react-intl';
import type { Language } from '#core';
import { logError } from '../kernel/log.ts';
import type { I18n } from '../kernel/services.ts';
import type { Messages, MessageSource } from '../kernel/web-plugin.ts';
import { loadChunk } from '../kernel/load-chunk.ts';
import type { MessageCatalog } from '../kernel/message-catalog.ts';
import type { TextValues } from './use-text.ts';

export interface I18nOptions {
  readonly available: readonly Language[];
  readonly language: Language;
  /** Message loaders of a plugin or of `core`, which are fetched together. */
  readonly listSources: (plugin: string) => readonly MessageSource[];
  /** Called when the person chooses a language. */
  readonly onChosen: (language: Language) => void;
}

/** Locale by language: English numbers use Indian grouping (row ANA-03). */
const localeByLanguage: Readonly<Record<Language, string>> = { en: 'en-IN', fr: 'fr' };

interface Preparation {
  readonly promise: Promise<void>;
  done: boolean;
}

/** Messages by plugin and language, fetched on demand, with English as fallback. */
export class I18nService implements I18n, MessageCatalog {
  readonly available: readonly Language[];
  readonly #options: I18nOptions;
  readonly #cache = createIntlCache();
  readonly #preparations = new Map<string, Preparation>();
  readonly #plugins = new Set<string>();
  /**
   * The language and its messages. A change of the language replaces both at once. Messages of further plugins are
   * added in place, so that an existing `intl` finds them.
   */
  current: { readonly language: Language; readonly messages: Record<string, string> };
  /** The most recently requested language; `language` follows once its messages are loaded. */
  #requestedLanguage: Language;

  constructor(options: I18nOptions) {
    this.#options = options;
    this.available = options.available;
    this.current = { language: options.language, messages: {} };
    this.#requestedLanguage = options.language;
    makeObservable(this, { current: observableRef, language: computed, intl: computed({ keepAlive: true }) });
    document.documentElement.lang = options.language;
  }

  get language(): Language {
    return this.current.language;
  }

  get intl(): IntlShape {
    const { language, messages } = this.current;
    return createIntl(
      {
        locale: localeByLanguage[language],
        messages,
        defaultLocale: 'en',
        onError: (error) => {
          logError(
            error.code === ReactIntlErrorCode.MISSING_TRANSLATION
              ? `There is no message '${error.descriptor?.id}': is it in 'messages/en.json', and is the plugin's ` +
                  'scope around it?'
              : error.message,
          );
        },
      },
      this.#cache,
    );
  }

  text(id: string, values?: TextValues): string {
    return this.intl.formatMessage({ id }, values === undefined ? undefined : { ...values });
  }

  prepare(plugin: string): Promise<void> | undefined {
    this.#plugins.add(plugin);
    const preparation = this.#prepareIn(plugin, this.language);
    return preparation.done ? undefined : preparation.promise;
  }

  /** Loads the messages of several plugins, so that their titles appear together. */
  async prepareAll(plugins: readonly string[]): Promise<void> {
    await Promise.all(plugins.flatMap((plugin) => this.prepare(plugin) ?? []));
  }

  async setLanguage(language: Language): Promise<void> {
    if (!this.available.includes(language))
      throw new Error(
        `The product has no language '${language}', only ${this.available.join(', ')}: see "languages" in its profile.`,
      );
    if (language === this.#requestedLanguage) return;
    await this.useLanguage(language);
    if (language === this.#requestedLanguage) this.#options.onChosen(language);
  }

  /** Like `setLanguage`, but does not save the choice. */
  async useLanguage(language: Language): Promise<void> {
    this.#requestedLanguage = language;
    const messagesByPlugin = new Map<string, Messages>();
    try {
      // Screens of other plugins may appear during the load. They also need messages of the new language.
      for (
        let plugins = [...this.#plugins];
        plugins.length > 0;
        plugins = [...this.#plugins].filter((plugin) => !messagesByPlugin.has(plugin))
      ) {
        await Promise.all(
          plugins.map(async (plugin) => messagesByPlugin.set(plugin, await this.#load(plugin, language))),
        );
      }
    } catch (cause) {
      if (this.#requestedLanguage === language) this.#requestedLanguage = this.language;
      throw cause;
    }
    // The person chose another language during the load.
    if (this.#requestedLanguage !== language) return;
    runInAction(() => {
      this.current = { language, messages: Object.assign({}, ...messagesByPlugin.values()) as Record<string, string> };
    });
    for (const plugin of messagesByPlugin.keys())
      this.#preparations.set(`${plugin} ${language}`, { promise: Promise.resolve(), done: true });
    document.documentElement.lang = language;
  }

  #prepareIn(plugin: string, language: Language): Preparation {
    const key = `${plugin} ${language}`;
    const cached = this.#preparations.get(key);
    if (cached) return cached;
    const preparation: Preparation = {
      done: false,
      promise: this.#load(plugin, language).then(
        (messages) => {
          preparation.done = true;
          if (language === this.language) Object.assign(this.current.messages, messages);
        },
        (cause: unknown) => {
          // A screen fails without its messages, but a later visit may load them.
          this.#preparations.delete(key);
          throw cause;
        },
      ),
    };
    // The caller that waits for these messages gets the rejection; a screen waits for one plugin after the other.
    preparation.promise.catch(() => undefined);
    this.#preparations.set(key, preparation);
    return preparation;
  }

  async #load(plugin: string, language: Language): Promise<Messages> {
    const catalogues = this.#options.listSources(plugin).map(async (source): Promise<Messages> => {
      const load = async (candidate: Language): Promise<Messages> => {
        const messages = source[candidate];
        return messages ? (await loadChunk(`${plugin}/messages/${candidate}`, messages)).default : {};
      };
      const requestedMessages = await load(language);
      return language === 'en' || isCompiled(requestedMessages)
        ? requestedMessages
        : { ...(await load('en')), ...requestedMessages };
    });
    return Object.assign({}, ...(await Promise.all(catalogues))) as Messages;
  }
}

/** The build compiles messages and merges English into every other language, so one file is enough. */
function isCompiled(messages: Readonly<Record<string, unknown>>): boolean {
  return Object.values(messages).some((message) => typeof message !== 'string');
}

/** Core's own messages and the refusals of its server. */
export const coreMessages: readonly MessageSource[] = [
  { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  { en: () => import('../../common/api/messages/en.json'), fr: () => import('../../common/api/messages/fr.json') },
];
