import type { ComponentType } from 'react';
import { extensionPoint, type Contribution } from '#core';
import type { Load } from './web-plugin.ts';

/** A part of the person's settings page. */
export interface SettingsSection extends Contribution {
  readonly title: string;
  readonly load: Load<ComponentType>;
}
export const settingsSections = extensionPoint<SettingsSection>('core.settingsSection');

/** Something that stands in a banner area whenever it has something to say. */
export interface Banner extends Contribution {
  readonly area: 'top' | 'bottom';
  readonly load: Load<ComponentType>;
}
export const banners = extensionPoint<Banner>('core.banner');

/** Something in the header of the shells: the search box in its middle, or a button at its end. */
export interface HeaderPart extends Contribution {
  readonly place: 'middle' | 'end';
  readonly load: Load<ComponentType>;
}
export const headerParts = extensionPoint<HeaderPart>('core.headerPart');
