/** One cookie of a reply. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Attributes by lower-case name. The value is `true` for an attribute without a value. */
  readonly attributes: Readonly<Record<string, string | true>>;
}

/** Stores cookies by name and path, like a browser, and removes expired ones. */
export class CookieJar {
  readonly #cookies = new Map<string, SetCookie>();

  /** Stores and returns the cookies of a reply. */
  store(headers: Readonly<Record<string, string | readonly string[] | number | undefined>>): readonly SetCookie[] {
    const lines = headers['set-cookie'] ?? [];
    const cookies = (typeof lines === 'string' ? [lines] : typeof lines === 'number' ? [] : lines).map(parseSetCookie);
    for (const cookie of cookies) {
      const key = `${cookie.name} ${String(cookie.attributes['path'])}`;
      if (cookie.value === '' || cookie.attributes['max-age'] === '0') this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
    return cookies;
  }

  get(name: string): SetCookie | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name);
  }

  /** The `cookie` header for a path, or no header if no cookie matches. */
  headersFor(path: string): Readonly<Record<string, string>> {
    const matching = [...this.#cookies.values()].filter(({ attributes }) =>
      path.startsWith(String(attributes['path'])),
    );
    return matching.length === 0 ? {} : { cookie: matching.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }
}

function parseSetCookie(line: string): SetCookie {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const equals = pair.indexOf('=');
  const attributes = Object.fromEntries(
    rest.map((part) => {
      const [name = '', value] = part.split('=');
      return [name.toLowerCase(), value ?? true] as const;
    }),
  );
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), attributes };
}
