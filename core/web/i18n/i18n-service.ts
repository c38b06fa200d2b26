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
  /** Lists the message sources of a plugin or of `core`. All sources of a plugin are loaded together. */
  readonly listMessageSources: (plugin: string) => readonly MessageSource[];
  /** Called when the person chooses a language. */
  readonly onChosen: (language: Language) => void;
}

/** Locale by language: English numbers use Indian grouping (requirement ANA-03). */
const localeByLanguage: Readonly<Record<Language, string>> = { en: 'en-IN', fr: 'fr' };

/** The messages of one plugin in one language, loading or loaded. */
interface MessageLoad {
  readonly promise: Promise<void>;
  done: boolean;
}

/** Messages by plugin and language, fetched on demand, with English as fallback. */
export class I18nService implements I18n, MessageCatalog {
  readonly available: readonly Language[];
  readonly #options: I18nOptions;
  readonly #cache = createIntlCache();
  readonly #loads = new Map<string, MessageLoad>();
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
              ? `There is no message '${error.descriptor?.id}': is it in 'messages/en.json', and is the component inside ` +
                  "the plugin's <PluginScope>?"
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

  loadMessages(plugin: string): Promise<void> | undefined {
    this.#plugins.add(plugin);
    const load = this.#loadIn(plugin, this.language);
    return load.done ? undefined : load.promise;
  }

  /** Loads the messages of several plugins in parallel. */
  async loadAllMessages(plugins: readonly string[]): Promise<void> {
    await Promise.all(plugins.flatMap((plugin) => this.loadMessages(plugin) ?? []));
  }

  async setLanguage(language: Language): Promise<void> {
    if (!this.available.includes(language))
      throw new Error(
        `The product has no language '${language}', only ${this.available.join(', ')}: see "languages" in the product ` +
          'profile.',
      );
    if (language === this.#requestedLanguage) return;
    await this.applyLanguage(language);
    if (language === this.#requestedLanguage) this.#options.onChosen(language);
  }

  /** Like `setLanguage`, but does not save the choice. */
  async applyLanguage(language: Language): Promise<void> {
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
          plugins.map(async (plugin) => messagesByPlugin.set(plugin, await this.#fetchMessages(plugin, language))),
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
      this.#loads.set(`${plugin} ${language}`, { promise: Promise.resolve(), done: true });
    document.documentElement.lang = language;
  }

  #loadIn(plugin: string, language: Language): MessageLoad {
    const key = `${plugin} ${language}`;
    const cached = this.#loads.get(key);
    if (cached) return cached;
    const load: MessageLoad = {
      done: false,
      promise: this.#fetchMessages(plugin, language).then(
        (messages) => {
          load.done = true;
          if (language === this.language) Object.assign(this.current.messages, messages);
        },
        (cause: unknown) => {
          // A screen fails without its messages, but a later visit may load them.
          this.#loads.delete(key);
          throw cause;
        },
      ),
    };
    // Callers that await the promise get the rejection. Without this handler, the browser would report it as unhandled if
    // nobody awaits it yet: a screen awaits its plugins one by one.
    load.promise.catch(() => undefined);
    this.#loads.set(key, load);
    return load;
  }

  async #fetchMessages(plugin: string, language: Language): Promise<Messages> {
    const messagesBySource = this.#options.listMessageSources(plugin).map(async (source): Promise<Messages> => {
      const fetchLanguage = async (sourceLanguage: Language): Promise<Messages> => {
        const messages = source[sourceLanguage];
        return messages ? (await loadChunk(`${plugin}/messages/${sourceLanguage}`, messages)).default : {};
      };
      const requestedMessages = await fetchLanguage(language);
      return language === 'en' || isCompiled(requestedMessages)
        ? requestedMessages
        : { ...(await fetchLanguage('en')), ...requestedMessages };
    });
    return Object.assign({}, ...(await Promise.all(messagesBySource))) as Messages;
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
