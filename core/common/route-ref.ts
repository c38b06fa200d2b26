type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/**
 * Identifies a screen, so that links need neither its URL nor its plugin. `path` is relative to the base path,
 * without a leading slash.
 */
export interface RouteRef<Path extends string = string> {
  readonly id: string;
  readonly path: Path;
}

export type ParamsOf<R extends RouteRef> = { readonly [Name in ParamNames<R['path']>]: string };

export function routeRef<const Path extends string>(id: `${string}.${string}`, path: Path): RouteRef<Path> {
  return { id, path };
}

/**
 * The URL within the base path, with a leading slash and percent-encoded parameters.
 *
 * @throws Error if a parameter is missing
 */
export function routeUrl<R extends RouteRef>(route: R, params: ParamsOf<R>): string {
  const values = params as Readonly<Record<string, string | undefined>>;
  return `/${route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Route '${route.id}' needs the parameter '${name}'.`);
    return encodeURIComponent(value);
  })}`;
}
