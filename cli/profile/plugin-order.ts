import type { PluginManifest } from '#core';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';

/**
 * Sorts ids topologically by requirement, then by id.
 *
 * @throws CliError that names every required plugin that is disabled, or the cycle
 */
export function sortPlugins(
  ids: readonly string[],
  getManifest: (id: string) => PluginManifest,
  file: string,
): string[] {
  const enabledIds = new Set(ids);
  const problems: Problem[] = ids.flatMap((id) =>
    getManifest(id)
      .requires.filter((requiredId) => !enabledIds.has(requiredId))
      .map((requiredId) => ({
        file,
        pointer: `/plugins/${id}`,
        cause: `'${id}' requires '${requiredId}', which is off.`,
        remedy: `Switch '${requiredId}' on ("${requiredId}": {}) or '${id}' off ("${id}": false).`,
      })),
  );
  if (problems.length > 0) throw new CliError(exitCodes.invalidProfile, problems);

  const sortedIds: string[] = [];
  const visit = (id: string, trail: readonly string[]): void => {
    if (sortedIds.includes(id)) return;
    if (trail.includes(id)) {
      const cycle = [...trail.slice(trail.indexOf(id)), id].join(' -> ');
      throw new CliError(exitCodes.invalidProfile, [
        {
          file,
          pointer: `/plugins/${id}`,
          cause: `Plugins require each other in a circle: ${cycle}.`,
          remedy: 'Replace one of these requirements by a bridge.',
        },
      ]);
    }
    for (const requiredId of [...getManifest(id).requires].sort()) visit(requiredId, [...trail, id]);
    sortedIds.push(id);
  };
  for (const id of [...ids].sort()) visit(id, []);
  return sortedIds;
}
