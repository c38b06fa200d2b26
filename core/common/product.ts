import type { Language, LoginType, ProviderId } from './profile.ts';

/** What the bundle knows of its product: the profile's head, resolved at build. */
export interface Product {
  readonly profile: string;
  readonly title: string;
  readonly shortName: string;
  readonly version: string;
  readonly login: {
    readonly type: LoginType;
    readonly providers: readonly { readonly id: ProviderId; readonly label: string }[];
    readonly logoutAddress?: string;
    /** Characters; 12 if absent. */
    readonly minPasswordLength?: number;
  };
  readonly languages: readonly Language[];
  /** IANA time zone of the deployment, for data without a site and for sites without a record. */
  readonly timeZone: string;
  readonly progressiveWebApp: boolean;
  /** Addresses under the base path. */
  readonly logo: string;
  /** For dark backgrounds; absent: one logo for both. */
  readonly logoDark?: string;
  readonly backgrounds: readonly string[];
  readonly contact?: string;
}

/** Base path of all pages, scripts and images. */
export const basePath = '/dashboard';

/** Characters. */
export const defaultMinPasswordLength = 12;

/** Minimum length of a new password, in characters. */
export const minPasswordLength = ({ minPasswordLength: set }: Product['login']): number =>
  set ?? defaultMinPasswordLength;
