import { accessFlags, type AccessFlag } from '#core';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { ProductInfo } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/** Flags that every product has, because their screens are in every product. */
const alwaysUsed: readonly AccessFlag[] = ['userManagement', 'import', 'configure'];

/**
 * The access flags that this product checks, on screens or only on the server. Omits flags that only absent plugins
 * would check.
 */
export function useProductFlags(): ReadonlySet<AccessFlag> {
  const { host } = usePluginScope();
  const { features = [] } = useService(ProductInfo);
  const pluginFlags = host.plugins.flatMap(({ web, bridges }) => [
    ...(web.routes ?? []).map(({ access }) => access),
    ...[...(web.contributions ?? []), ...bridges.flat()].map(({ value }) => value.access),
  ]);
  const usedFlags: readonly (AccessFlag | undefined)[] = [...alwaysUsed, ...features, ...pluginFlags];
  return new Set(accessFlags.filter((flag) => usedFlags.includes(flag)));
}
