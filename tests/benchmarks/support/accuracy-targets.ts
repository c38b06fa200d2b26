import { chooseTargets, type Target, type TargetOptions } from '../../measuring/plant-targets.ts';

/** Size of the page in pixels. */
export const pageSize = { width: 1280, height: 720 };
export const seed = 20_261_121;
/** Numbers of targets by surface and kind. */
const fullCounts: TargetOptions['counts'] = {
  bubble: { DISTANCE: 28, ANGLE: 14, DIAMETER: 30 },
  cloud: { DISTANCE: 26, ANGLE: 12, DIAMETER: 28 },
  model: { DISTANCE: 24, ANGLE: 12, DIAMETER: 26 },
  panorama: { DISTANCE: 24, ANGLE: 12, DIAMETER: 24 },
};
const quickCountsByKind = { DISTANCE: 4, ANGLE: 2, DIAMETER: 4 };
const quickCounts: TargetOptions['counts'] = {
  bubble: quickCountsByKind,
  cloud: quickCountsByKind,
  model: quickCountsByKind,
  panorama: quickCountsByKind,
};

/**
 * Chooses distances, angles and diameters all over the demo plant, for scan stations, cloud, model and panoramas. With
 * `quick`, chooses a few targets around two nodes, each clicked once.
 */
export function chooseAccuracyTargets(quick: boolean): readonly Target[] {
  return chooseTargets({
    seed,
    size: pageSize,
    counts: quick ? quickCounts : fullCounts,
    ...(quick ? { nodes: ['HB-P04', 'HB-P09'], repetitions: 1 } : {}),
  });
}

/** Selects every fifth target of each kind and surface, starting at the third. */
export function selectEachFifth(targets: readonly Target[]): readonly Target[] {
  const counts = new Map<string, number>();
  return targets.filter(({ surface, kind }) => {
    const index = counts.get(`${surface} ${kind}`) ?? 0;
    counts.set(`${surface} ${kind}`, index + 1);
    return index % 5 === 2;
  });
}

const kindBySurface = { bubble: 'DIAMETER', cloud: 'ANGLE', model: 'DISTANCE' } as const;

/** Selects one target of each kind, each on a different surface. */
export function selectOneOfEachKind(targets: readonly Target[]): readonly Target[] {
  return Object.entries(kindBySurface).flatMap(([surface, kind]) =>
    targets.filter((target) => target.surface === surface && target.kind === kind).slice(0, 1),
  );
}
