import { findNearestName } from '../../common/format/find-nearest-name.ts';
import { Secret } from './secret.ts';

/**
 * A problem with a variable: missing (and the default used instead), wrong (the server does not start), or unknown.
 * `sentence` never contains a value that may be secret.
 */
export interface ConfigProblem {
  readonly variable: string;
  readonly kind: 'missing' | 'wrong' | 'unknown';
  readonly sentence: string;
  /** For a wrong variable. */
  readonly remedy?: string;
}

/** Reads environment variables and collects missing and wrong ones. An empty variable counts as missing. */
export class EnvironmentReader {
  readonly problems: ConfigProblem[] = [];
  readonly #read = new Set<string>();
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  missing(variable: string, used: string): void {
    this.problems.push({ variable, kind: 'missing', sentence: `${variable} is not set; used instead: ${used}.` });
  }

  /** `used`: the effective value. `taken`: the variable from which it comes, if it is another one. */
  wrong(variable: string, rule: string, used: string, taken = variable): void {
    this.problems.push({
      variable,
      kind: 'wrong',
      sentence: `${variable} ${rule}.`,
      remedy: `Correct it, or take ${taken === variable ? 'it' : taken} out of the environment (then: ${used}).`,
    });
  }

  /** Reports variables with the prefix that were not read. `others`: names that are read conditionally or elsewhere. */
  reportUnknown(prefix: string, others: readonly string[]): void {
    const known = [...new Set([...this.#read, ...others])].filter((name) => name.startsWith(prefix)).sort();
    for (const variable of Object.keys(this.#environment).sort()) {
      if (!variable.startsWith(prefix) || known.includes(variable)) continue;
      const name = variable.slice(prefix.length);
      const near = findNearestName(
        name,
        known.map((each) => each.slice(prefix.length)),
      );
      const suggestion = this.#read.has(name) ? name : near === undefined ? undefined : `${prefix}${near}`;
      const sentence = `There is no variable ${variable}: it is ignored.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
      this.problems.push({ variable, kind: 'unknown', sentence });
    }
  }

  /** Missing is no problem. */
  optionalText(variable: string): string | undefined {
    this.#read.add(variable);
    const value = this.#environment[variable]?.trim();
    return value === '' ? undefined : value;
  }

  text(variable: string, fallback: string, used = fallback): string {
    const value = this.optionalText(variable);
    if (value === undefined) this.missing(variable, used);
    return value ?? fallback;
  }

  /** Like `text`; the name marks that the value must never appear in a message. */
  secretText(variable: string, used: string): string | undefined {
    const value = this.optionalText(variable);
    if (value === undefined) this.missing(variable, used);
    return value;
  }

  secret(variable: string, minimumLength: number): Secret | undefined {
    const value = this.optionalText(variable);
    if (value === undefined) return undefined;
    if (value.length < minimumLength) {
      this.wrong(variable, `must have at least ${minimumLength} characters`, 'none');
      return undefined;
    }
    return new Secret(value);
  }

  integer(variable: string, fallback: number, range: { readonly minimum: number; readonly maximum?: number }): number {
    if (this.optionalText(variable) === undefined) this.missing(variable, String(fallback));
    return this.optionalInteger(variable, fallback, range);
  }

  optionalInteger(
    variable: string,
    fallback: number,
    range: { readonly minimum: number; readonly maximum?: number },
  ): number {
    const value = this.optionalText(variable);
    if (value === undefined) return fallback;
    const number = Number(value);
    const maximum = range.maximum ?? Number.MAX_SAFE_INTEGER;
    if (Number.isInteger(number) && number >= range.minimum && number <= maximum) return number;
    this.wrong(
      variable,
      `must be a whole number from ${range.minimum} to ${maximum}, and is "${value}"`,
      String(fallback),
    );
    return fallback;
  }

  oneOf<T extends string>(variable: string, values: readonly T[], fallback: T): T {
    const value = this.optionalText(variable);
    if (value === undefined) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) this.wrong(variable, `must be one of ${values.join(', ')}, and is "${value}"`, fallback);
    return found ?? fallback;
  }

  /** An http(s) address without a trailing slash. */
  address(variable: string, used: string): string | undefined {
    if (this.optionalText(variable) === undefined) this.missing(variable, used);
    return this.optionalAddress(variable, 'https://tours.example.com', used);
  }

  /** Like `address`; missing is no problem. */
  optionalAddress(variable: string, example: string, used: string): string | undefined {
    const value = this.optionalText(variable);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
    this.wrong(variable, `must be an address such as ${example}`, used);
    return undefined;
  }
}
