import type { AccessFlag } from './access.ts';
import type { Language, LoginType, ProviderId } from './profile.ts';

/** The part of the profile that the web bundle contains, resolved by the build. */
export interface Product {
  readonly profile: string;
  readonly title: string;
  readonly shortName: string;
  readonly version: string;
  readonly login: {
    readonly type: LoginType;
    readonly providers: readonly { readonly id: ProviderId; readonly label: string }[];
    readonly logoutAddress?: string;
    /** Minimum length in characters; 12 if absent. */
    readonly minPasswordLength?: number;
    /** Whether admins with a password must use a second factor; false if absent. */
    readonly adminsNeedSecondFactor?: boolean;
  };
  readonly languages: readonly Language[];
  /** IANA time zone of the deployment, for data without a site and for sites without a record. */
  readonly timeZone: string;
  readonly progressiveWebApp: boolean;
  /** URL under the base path. */
  readonly logo: string;
  /** The logo for dark backgrounds; `logo` if absent. */
  readonly logoDark?: string;
  /** URLs under the base path. */
  readonly backgrounds: readonly string[];
  readonly contact?: string;
  /** The access flags that plugins of the product check, on screens or on the server alone. */
  readonly features?: readonly AccessFlag[];
}

/** Base path of all pages, scripts and images. */
export const basePath = '/dashboard';

export const defaultMinPasswordLength = 12;

/** Minimum length of a new password, in characters. */
export const getMinPasswordLength = ({ minPasswordLength: configuredLength }: Product['login']): number =>
  configuredLength ?? defaultMinPasswordLength;
