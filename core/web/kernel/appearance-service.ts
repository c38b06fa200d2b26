import { computed, makeObservable, observableRef, runInAction } from 'mobx';
import { themes, type Appearance, type Theme } from './services.ts';

export interface AppearanceParts {
  /** The earlier choice on this device; any other value counts as `system`. */
  readonly chosen: string | undefined;
  /** Called when the person chooses a theme. */
  readonly onChosen: (theme: Theme) => void;
  readonly root: HTMLElement;
  /** The result of `matchMedia('(prefers-color-scheme: dark)')`. */
  readonly prefersDark: MediaQueryList;
}

/** Light, dark or high contrast: `data-theme` on the root element selects the stylesheet's variables. */
export class AppearanceService implements Appearance {
  theme: Theme;
  systemIsDark: boolean;
  readonly #parts: AppearanceParts;

  constructor(parts: AppearanceParts) {
    this.#parts = parts;
    this.theme = themes.find((theme) => theme === parts.chosen) ?? 'system';
    this.systemIsDark = parts.prefersDark.matches;
    makeObservable(this, { theme: observableRef, systemIsDark: observableRef, dark: computed });
    parts.prefersDark.addEventListener('change', ({ matches }) => runInAction(() => (this.systemIsDark = matches)));
    this.#show();
  }

  get dark(): boolean {
    return this.theme === 'dark' || this.theme === 'contrast' || (this.theme === 'system' && this.systemIsDark);
  }

  setTheme(theme: Theme): void {
    if (theme === this.theme) return;
    this.useTheme(theme);
    this.#parts.onChosen(theme);
  }

  /** Like `setTheme`, for an earlier choice that needs no saving. */
  useTheme(theme: Theme): void {
    runInAction(() => {
      this.theme = theme;
    });
    this.#show();
  }

  #show(): void {
    this.#parts.root.dataset['theme'] = this.theme;
  }
}
