/** One cookie of a reply. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Attributes by lower-case name; `true` without a value. */
  readonly attributes: Readonly<Record<string, string | true>>;
}

/** Stores cookies like a browser, as far as tests need: by name and path, removed when cleared. */
export class CookieJar {
  readonly #cookies = new Map<string, SetCookie>();

  /** Stores and returns the cookies of a reply. */
  take(headers: Readonly<Record<string, string | readonly string[] | number | undefined>>): readonly SetCookie[] {
    const lines = headers['set-cookie'] ?? [];
    const taken = (typeof lines === 'string' ? [lines] : typeof lines === 'number' ? [] : lines).map(parse);
    for (const cookie of taken) {
      const key = `${cookie.name} ${String(cookie.attributes['path'])}`;
      if (cookie.value === '' || cookie.attributes['max-age'] === '0') this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
    return taken;
  }

  get(name: string): SetCookie | undefined {
    return [...this.#cookies.values()].find((cookie) => cookie.name === name);
  }

  /** The `cookie` header for a path; without the key if there is none. */
  headersFor(path: string): Readonly<Record<string, string>> {
    const fitting = [...this.#cookies.values()].filter(({ attributes }) => path.startsWith(String(attributes['path'])));
    return fitting.length === 0 ? {} : { cookie: fitting.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }
}

function parse(line: string): SetCookie {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const attributes = Object.fromEntries(
    rest.map((part) => {
      const [name = '', value] = part.split('=');
      return [name.toLowerCase(), value ?? true] as const;
    }),
  );
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes };
}
