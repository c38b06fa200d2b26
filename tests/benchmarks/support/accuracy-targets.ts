import { drawTargets, type Target } from '../../measuring/plant-targets.ts';

/** Size of the page in pixels. */
export const pageSize = { width: 1280, height: 720 };
export const seed = 20_261_121;
/** 200 in total. */
const bubble = { DISTANCE: 28, ANGLE: 14, DIAMETER: 30 };
const cloud = { DISTANCE: 26, ANGLE: 12, DIAMETER: 28 };
const model = { DISTANCE: 24, ANGLE: 12, DIAMETER: 26 };
const few = { DISTANCE: 4, ANGLE: 2, DIAMETER: 4 };

/**
 * Distances, angles and diameters all over the demo plant, in panorama, cloud and model. `quick`: fewer targets around
 * two nodes, each clicked once.
 */
export function accuracyTargets(quick: boolean): readonly Target[] {
  return drawTargets({
    seed,
    size: pageSize,
    counts: quick ? { bubble: few, cloud: few, model: few } : { bubble, cloud, model },
    ...(quick ? { nodes: ['HB-P04', 'HB-P09'], repetitions: 1 } : {}),
  });
}

/** Every fifth target of each kind and surface, starting at the third: 40 of the 200. */
export function eachFifth(targets: readonly Target[]): readonly Target[] {
  const seen = new Map<string, number>();
  return targets.filter(({ surface, kind }) => {
    const at = seen.get(`${surface} ${kind}`) ?? 0;
    seen.set(`${surface} ${kind}`, at + 1);
    return at % 5 === 2;
  });
}

const kindBySurface = { bubble: 'DIAMETER', cloud: 'ANGLE', model: 'DISTANCE' } as const;

/** One target of each kind, each on a different surface. */
export function oneOfEachKind(targets: readonly Target[]): readonly Target[] {
  return Object.entries(kindBySurface).flatMap(([surface, kind]) =>
    targets.filter((target) => target.surface === surface && target.kind === kind).slice(0, 1),
  );
}
