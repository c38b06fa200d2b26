import { computed, makeObservable, observableRef, runInAction } from 'mobx';
import { themes, type Appearance, type Theme } from './services.ts';

export interface AppearanceOptions {
  /** The earlier choice on this device. An unknown value counts as `system`. */
  readonly savedTheme: string | undefined;
  /** Called when the person chooses a theme. */
  readonly onChosen: (theme: Theme) => void;
  readonly root: HTMLElement;
  /** The result of `matchMedia('(prefers-color-scheme: dark)')`. */
  readonly prefersDark: MediaQueryList;
}

/** Sets `data-theme` on the root element, which selects the light, dark or high-contrast variables. */
export class AppearanceService implements Appearance {
  theme: Theme;
  systemIsDark: boolean;
  readonly #options: AppearanceOptions;

  constructor(options: AppearanceOptions) {
    this.#options = options;
    this.theme = themes.find((theme) => theme === options.savedTheme) ?? 'system';
    this.systemIsDark = options.prefersDark.matches;
    makeObservable(this, { theme: observableRef, systemIsDark: observableRef, dark: computed });
    options.prefersDark.addEventListener('change', ({ matches }) => runInAction(() => (this.systemIsDark = matches)));
    this.#setThemeAttribute();
  }

  get dark(): boolean {
    return this.theme === 'dark' || this.theme === 'contrast' || (this.theme === 'system' && this.systemIsDark);
  }

  setTheme(theme: Theme): void {
    if (theme === this.theme) return;
    this.applyTheme(theme);
    this.#options.onChosen(theme);
  }

  /** Like `setTheme`, but does not save the choice. */
  applyTheme(theme: Theme): void {
    runInAction(() => {
      this.theme = theme;
    });
    this.#setThemeAttribute();
  }

  #setThemeAttribute(): void {
    this.#options.root.dataset['theme'] = this.theme;
  }
}
