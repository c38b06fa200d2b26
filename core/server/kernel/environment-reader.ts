import { findNearestName } from '../../common/format/find-nearest-name.ts';
import { Secret } from './secret.ts';

/**
 * A problem with a variable. A missing variable has its default, a wrong one prevents the start, and an unknown one is
 * ignored. `sentence` never contains a value that may be secret.
 */
export interface ConfigProblem {
  readonly variable: string;
  readonly kind: 'missing' | 'wrong' | 'unknown';
  readonly sentence: string;
  /** Set for a wrong variable. */
  readonly remedy?: string;
}

/** A variable that was read, as shown to admins. */
export interface EnvironmentSetting {
  readonly variable: string;
  readonly isSet: boolean;
  /** The value in force. Null if it may be secret: only readers of harmless values set it. */
  readonly value: string | null;
}

/** Reads environment variables and collects missing and wrong ones. An empty variable counts as missing. */
export class EnvironmentReader {
  readonly problems: ConfigProblem[] = [];
  readonly #settings = new Map<string, EnvironmentSetting>();
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** The variables that were read, by name. */
  get settings(): readonly EnvironmentSetting[] {
    return [...this.#settings.values()].toSorted((a, b) => (a.variable < b.variable ? -1 : 1));
  }

  /** Shows the effective value of a variable to admins. Must not be called with a value that may be secret. */
  exposeValue<T extends string | number>(variable: string, value: T): T {
    this.#settings.set(variable, {
      variable,
      isSet: this.readOptionalText(variable) !== undefined,
      value: String(value),
    });
    return value;
  }

  reportMissing(variable: string, effectiveValue: string): void {
    this.problems.push({
      variable,
      kind: 'missing',
      sentence: `${variable} is not set; used instead: ${effectiveValue}.`,
    });
  }

  /**
   * `removable` is the variable that can be removed instead of correcting the wrong one. `effectiveValue` then applies.
   */
  reportWrong(variable: string, rule: string, effectiveValue: string, removable = variable): void {
    this.problems.push({
      variable,
      kind: 'wrong',
      sentence: `${variable} ${rule}.`,
      remedy: `Correct it, or take ${removable === variable ? 'it' : removable} out of the environment (then: ${effectiveValue}).`,
    });
  }

  /**
   * Reports variables with the prefix that were not read. `otherNames` are names that are read conditionally or
   * elsewhere.
   */
  reportUnknown(prefix: string, otherNames: readonly string[]): void {
    const knownVariables = [...new Set([...this.#settings.keys(), ...otherNames])]
      .filter((name) => name.startsWith(prefix))
      .sort();
    for (const variable of Object.keys(this.#environment).sort()) {
      if (!variable.startsWith(prefix) || knownVariables.includes(variable)) continue;
      const name = variable.slice(prefix.length);
      const nearest = findNearestName(
        name,
        knownVariables.map((knownVariable) => knownVariable.slice(prefix.length)),
      );
      const nearestName = nearest === undefined ? undefined : `${prefix}${nearest}`;
      const suggestion = this.#settings.has(name) ? name : nearestName;
      const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      const sentence = `The unknown variable ${variable} is ignored.${question}`;
      this.problems.push({ variable, kind: 'unknown', sentence });
    }
  }

  /** A missing variable is not reported. */
  readOptionalText(variable: string): string | undefined {
    const value = this.#environment[variable]?.trim() || undefined;
    const knownSetting = this.#settings.get(variable);
    this.#settings.set(variable, { variable, isSet: value !== undefined, value: knownSetting?.value ?? null });
    return value;
  }

  readText(variable: string, fallback: string, effectiveValue = fallback): string {
    const value = this.readOptionalText(variable);
    if (value === undefined) this.reportMissing(variable, effectiveValue);
    return this.exposeValue(variable, value ?? fallback);
  }

  /** Like `readText`, for values that must never appear in a message. */
  readSecretText(variable: string, effectiveValue: string): string | undefined {
    const value = this.readOptionalText(variable);
    if (value === undefined) this.reportMissing(variable, effectiveValue);
    return value;
  }

  readSecret(variable: string, minimumLength: number): Secret | undefined {
    const value = this.readOptionalText(variable);
    if (value === undefined) return undefined;
    if (value.length < minimumLength) {
      this.reportWrong(variable, `must have at least ${minimumLength} characters`, 'none');
      return undefined;
    }
    return new Secret(value);
  }

  readInteger(
    variable: string,
    fallback: number,
    range: { readonly minimum: number; readonly maximum?: number },
  ): number {
    if (this.readOptionalText(variable) === undefined) this.reportMissing(variable, String(fallback));
    return this.readOptionalInteger(variable, fallback, range);
  }

  readOptionalInteger(
    variable: string,
    fallback: number,
    range: { readonly minimum: number; readonly maximum?: number },
  ): number {
    const value = this.readOptionalText(variable);
    if (value === undefined) return this.exposeValue(variable, fallback);
    const number = Number(value);
    const maximum = range.maximum ?? Number.MAX_SAFE_INTEGER;
    if (Number.isInteger(number) && number >= range.minimum && number <= maximum)
      return this.exposeValue(variable, number);
    this.reportWrong(
      variable,
      `must be a whole number from ${range.minimum} to ${maximum}, and is "${value}"`,
      String(fallback),
    );
    return fallback;
  }

  readOneOf<T extends string>(variable: string, values: readonly T[], fallback: T): T {
    const value = this.readOptionalText(variable);
    if (value === undefined) return this.exposeValue(variable, fallback);
    const allowedValue = values.find((candidate) => candidate === value);
    if (allowedValue === undefined)
      this.reportWrong(variable, `must be one of ${values.join(', ')}, and is "${value}"`, fallback);
    return this.exposeValue(variable, allowedValue ?? fallback);
  }

  /** An http(s) URL without a trailing slash. */
  readUrl(variable: string, effectiveValue: string): string | undefined {
    if (this.readOptionalText(variable) === undefined) this.reportMissing(variable, effectiveValue);
    return this.readOptionalUrl(variable, 'https://tours.example.com', effectiveValue);
  }

  /** Like `readUrl`, but a missing variable is not reported. */
  readOptionalUrl(variable: string, example: string, effectiveValue: string): string | undefined {
    const value = this.readOptionalText(variable);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) {
      const { origin, pathname } = new URL(value);
      // Omits a username and a password.
      this.exposeValue(variable, origin + pathname.replace(/\/+$/, ''));
      return value.replace(/\/+$/, '');
    }
    this.reportWrong(variable, `must be an address such as ${example}`, effectiveValue);
    return undefined;
  }
}
