import type { Language, LoginType, ProviderId } from './profile.ts';

/** What the bundle knows of its own product: the profile's head, resolved at build. */
export interface Product {
  readonly profile: string;
  readonly title: string;
  readonly shortName: string;
  readonly version: string;
  readonly login: {
    readonly type: LoginType;
    readonly providers: readonly { readonly id: ProviderId; readonly label: string }[];
    readonly logoutAddress?: string;
    /** Characters; 12 where it is absent. */
    readonly minPasswordLength?: number;
  };
  readonly languages: readonly Language[];
  /** IANA name of the deployment's time zone: for what belongs to no site, and to a site without a record. */
  readonly timeZone: string;
  readonly progressiveWebApp: boolean;
  /** Addresses under the base path. */
  readonly logo: string;
  /** On dark ground; absent: the logo is for both. */
  readonly logoDark?: string;
  readonly backgrounds: readonly string[];
  readonly contact?: string;
}

/** All pages, scripts and pictures of the bundle are served under this path. */
export const basePath = '/dashboard';

/** Characters. */
export const defaultMinPasswordLength = 12;

/** Characters that a password has at least when it is chosen. */
export const minPasswordLength = ({ minPasswordLength: set }: Product['login']): number =>
  set ?? defaultMinPasswordLength;
