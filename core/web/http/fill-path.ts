/**
 * Replaces the placeholders of a path, such as `:id` in `/api/jobs/:id`, by the percent-encoded parameters.
 *
 * @throws Error if a parameter is missing
 */
export function fillPath(path: string, params: Readonly<Record<string, string | number>> | undefined): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name];
    if (value === undefined) throw new Error(`The call '${path}' needs the parameter '${name}'.`);
    return encodeURIComponent(String(value));
  });
}
