/** A proxy with one member replaced. Other methods run on the object itself, so that private fields work. */
export function withOverride<T extends object>(target: T, name: keyof T, override: unknown): T {
  return new Proxy(target, {
    get(from, key) {
      if (key === name) return override;
      const value: unknown = Reflect.get(from, key);
      return typeof value === 'function' ? (value.bind(from) as unknown) : value;
    },
  });
}
