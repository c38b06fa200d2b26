import type { DemoTagView } from '#plugins/tour';
import type { PlantRays } from '../geometry/plant-rays.ts';
import type { Line, Node, Plant, Point, Tag } from '../plant/types.ts';
import { add, computeBearing, mix, normalise, subtract } from '../plant/vector.ts';

/** Smallest visible angle in radians, about seven pixels of an image with 4096 columns. */
const minVisibleAngle = 0.011;

const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));

function toTagView(node: Node, at: Point, visible: number): DemoTagView {
  const { pan, tilt, distance } = computeBearing(node.position, at);
  return {
    node: node.code,
    pan: roundTo(pan, 3),
    tilt: roundTo(tilt, 3),
    distance: roundTo(distance, 3),
    visible: roundTo(visible, 2),
  };
}

/** Nodes from which a tag is visible, nearest first. Casts rays to points in the tag's box. */
export function findTagViews(rays: PlantRays, plant: Plant, tag: Tag): DemoTagView[] {
  const part = plant.parts.find((candidate) => 'tag' in candidate && candidate.tag === tag.tag);
  const views: DemoTagView[] = [];
  for (const node of plant.nodes) {
    const { distance } = computeBearing(node.position, tag.position);
    if (Math.max(...tag.size) / distance < minVisibleAngle || distance > 40) continue;
    let hits = 0;
    let count = 0;
    for (const fx of [-0.4, 0, 0.4])
      for (const fy of [-0.4, 0, 0.4])
        for (const fz of [-0.4, 0, 0.4]) {
          const target = add(tag.position, [tag.size[0] * fx, tag.size[1] * fy, tag.size[2] * fz]);
          const hit = rays.findHit(node.position, normalise(subtract(target, node.position)));
          count++;
          if (hit && part && hit.id === part.id) hits++;
        }
    if (hits / count >= 0.1) views.push(toTagView(node, tag.position, hits / count));
  }
  return views.sort((a, b) => a.distance - b.distance);
}

/** Nodes from which a line is visible within 18 metres, each with the line's nearest visible point, nearest first. */
export function findLineViews(rays: PlantRays, plant: Plant, line: Line): DemoTagView[] {
  const points: Point[] = [];
  for (let k = 1; k < line.points.length; k++) {
    const a = line.points[k - 1]!;
    const b = line.points[k]!;
    const steps = Math.max(1, Math.round(computeBearing(a, b).distance / 0.5));
    for (let s = 0; s < steps; s++) points.push(mix(a, b, (s + 0.5) / steps));
  }
  const views: DemoTagView[] = [];
  for (const node of plant.nodes) {
    const nearPoints = points
      .map((point) => ({ point, distance: computeBearing(node.position, point).distance }))
      .filter(({ distance }) => distance < 18)
      .sort((a, b) => a.distance - b.distance);
    const visiblePoints = nearPoints.filter(
      ({ point }) => rays.findHit(node.position, normalise(subtract(point, node.position)))?.id === line.id,
    );
    const [first] = visiblePoints;
    if (first) views.push(toTagView(node, first.point, visiblePoints.length / nearPoints.length));
  }
  return views.sort((a, b) => a.distance - b.distance);
}
