import type { SiteFrame, SourceChoice } from '#core';
import type { SourceSystem } from '#core/api';
import { completeSystem, resolveSystem } from '../../adapters/coordinates/resolve-system.ts';
import { convertPoints, projectToMetres, scaleToMetres } from '../../adapters/coordinates/to-metres.ts';
import { scaleE57, type E57File } from '../../adapters/e57/open-e57.ts';
import type { PointSource } from '../../adapters/point-source.ts';
import type { OpenedFile } from './open-sources.ts';

/** A file of a delivery with its points in metres. */
export interface MetreSource {
  readonly source: PointSource;
  readonly system: SourceSystem;
  /** Whether the file was in metres already. */
  readonly unchanged: boolean;
}

/** Converts the points of a file to metres by its stated system and the person's choice. Throws `ScanUnreadable`. */
export async function toMetres(
  { source }: OpenedFile,
  choice: SourceChoice,
  frame: Pick<SiteFrame, 'crs'>,
): Promise<MetreSource> {
  const statedSystem = await completeSystem(source.system);
  const resolvedSystem = resolveSystem(source.format, statedSystem, choice);
  if (isE57(source)) {
    const [factor] = resolvedSystem.scale;
    return {
      source: factor === 1 ? source : scaleE57(source, factor),
      system: resolvedSystem.system,
      unchanged: factor === 1,
    };
  }
  const conversion =
    resolvedSystem.needsProjection && statedSystem
      ? await projectToMetres(source, statedSystem, resolvedSystem, frame)
      : scaleToMetres(resolvedSystem);
  return {
    source: conversion.convert
      ? { ...source, readPoints: () => convertPoints(source.readPoints(), conversion) }
      : source,
    system: { ...resolvedSystem.system, projectedTo: conversion.projectedTo },
    unchanged: conversion.convert === undefined,
  };
}

const isE57 = (source: PointSource): source is E57File => source.format === 'E57';
