import type { ComponentType } from 'react';
import { extensionPoint, type AccessSubject, type Contribution } from '#core';
import type { Load } from './web-plugin.ts';

/** A section of the person's settings page. */
export interface SettingsSection extends Contribution {
  readonly title: string;
  readonly load: Load<ComponentType>;
}
export const settingsSections = extensionPoint<SettingsSection>('core.settingsSection');

/** A heading of the admin menu, above the items whose `group` is its id. Core's headings have orders 100, 200, 900. */
export interface AdminGroup extends Contribution {
  /** A message id. */
  readonly title: string;
}
export const adminGroups = extensionPoint<AdminGroup>('core.adminGroup');

/** A component in a banner area. It decides when it shows something. */
export interface Banner extends Contribution {
  readonly area: 'top' | 'bottom';
  readonly load: Load<ComponentType>;
}
export const banners = extensionPoint<Banner>('core.banner');

export interface NoticeAreaProps {
  readonly area: 'top' | 'bottom';
}

/** The component that shows the notices of admins in the banner areas. Loaded once there are notices for the person. */
export interface NoticeArea extends Contribution {
  readonly load: Load<ComponentType<NoticeAreaProps>>;
}
export const noticeAreas = extensionPoint<NoticeArea>('core.noticeArea');

/** An element in the header of the shells, such as the search box in the middle or a button at the end. */
export interface HeaderPart extends Contribution {
  readonly slot: 'middle' | 'end';
  readonly load: Load<ComponentType>;
}
export const headerParts = extensionPoint<HeaderPart>('core.headerPart');

export interface NoAccessActionProps {
  /** The thing that the person cannot access. */
  readonly feature: AccessSubject;
}

/** An action against missing access, such as requesting it. Screens show it when access is missing. */
export interface NoAccessAction extends Contribution {
  readonly load: Load<ComponentType<NoAccessActionProps>>;
}
export const noAccessActions = extensionPoint<NoAccessAction>('core.noAccessAction');
