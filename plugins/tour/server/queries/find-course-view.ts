import type { Kysely } from 'kysely';
import { clamp, dotProduct, minus, plus, times, toPanTilt, vectorLength, type Point3 } from '#core';
import { atLocation } from '#core/server';
import type { TagDetails } from '#plugins/tour';
import type { TourTables } from '../tables.ts';

/** The nodes from which a line is viewed. */
export interface CourseScope {
  /** Uid of the tour. */
  readonly tour: string;
  readonly accessible: readonly string[];
}

/**
 * Finds the node that is nearest to the course of a line, and its view of the nearest point of the course. Empty
 * without a course.
 */
export async function findCourseView(
  tables: Kysely<TourTables>,
  line: string,
  { tour, accessible }: CourseScope,
): Promise<TagDetails['seenFrom']> {
  const pipe = await tables.selectFrom('pipe').select('points').where('line', '=', line).executeTakeFirst();
  const course = (pipe?.points ?? []).map(([x = 0, y = 0, z = 0]): Point3 => [x, y, z]);
  if (course.length === 0) return [];
  const nodes = await tables
    .selectFrom('node')
    .select(['uid', 'x', 'y', 'z'])
    .where('tour', '=', tour)
    .where('panorama_file', 'is not', null)
    .where(atLocation('location', accessible))
    .orderBy('uid')
    .execute();
  const [nearest] = nodes
    .map(({ uid, x, y, z }) => {
      const ray = findShortestRay([x, y, z], course);
      return { uid, ray, distance: vectorLength(ray) };
    })
    .toSorted((a, b) => a.distance - b.distance);
  if (!nearest) return [];
  const { uid: node, ray, distance } = nearest;
  return [{ node, ...toPanTilt(ray), distance, visible: 1 }];
}

/** Computes the shortest vector from a point to a polyline, metres. */
function findShortestRay(from: Point3, course: readonly Point3[]): Point3 {
  const rays = course.map((start, index): Point3 => {
    const segment = minus(course[index + 1] ?? start, start);
    const squaredLength = dotProduct(segment, segment);
    const fraction = squaredLength === 0 ? 0 : clamp(dotProduct(minus(from, start), segment) / squaredLength, 0, 1);
    return minus(plus(start, times(segment, fraction)), from);
  });
  return rays.reduce((best, ray) => (dotProduct(ray, ray) < dotProduct(best, best) ? ray : best));
}
