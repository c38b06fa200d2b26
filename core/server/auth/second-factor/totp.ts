import { Secret, TOTP } from 'otpauth';

/** The values that every authenticator app supports. @see RFC 6238, RFC 4226 */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** The length that RFC 4226, section 4 recommends. */
const keyBytes = 20;
/** Accepted steps before and after the current one, for clocks that differ. */
const skewSteps = 1;

/** Creates a random key in Base32. */
export const createTotpKey = (): string => new Secret({ size: keyBytes }).base32;

/** Builds the `otpauth://` URL that apps read from a QR code. `issuer` is the name of the product. */
export function toTotpUrl(key: string, issuer: string, username: string): string {
  return new TOTP({ ...settings, issuer, label: username, secret: Secret.fromBase32(key) }).toString();
}

/** Finds the time step to which the code belongs. Undefined for a wrong code. `now` is in milliseconds. */
export function findTotpStep(key: string, code: string, now: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const secret = Secret.fromBase32(key);
  const delta = TOTP.validate({ ...settings, secret, token: code, timestamp: now, window: skewSteps });
  return delta === null ? undefined : TOTP.counter({ period: settings.period, timestamp: now }) + delta;
}
