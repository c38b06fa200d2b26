import { accessFlags, type AccessFlag } from '#core';
import { usePluginScope } from '../kernel/plugin-scope.tsx';

/** Flags that every product has, because their screens are in every product. */
const alwaysUsed: readonly AccessFlag[] = ['userManagement', 'import', 'configure'];

/** The flags by which the product guards something. Features of plugins that it does not contain are left out. */
export function useProductFlags(): ReadonlySet<AccessFlag> {
  const { host } = usePluginScope();
  const guarded = host.plugins.flatMap(({ web, bridges }) => [
    ...(web.routes ?? []).map(({ access }) => access),
    ...[...(web.contributions ?? []), ...bridges.flat()].map(({ value }) => value.access),
  ]);
  return new Set(accessFlags.filter((flag) => alwaysUsed.includes(flag) || guarded.includes(flag)));
}
