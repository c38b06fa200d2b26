import type { DemoTagView } from '#plugins/tour';
import type { PlantRays } from '../geometry/plant-rays.ts';
import type { Line, Node, Plant, Point, Tag } from '../plant/types.ts';
import { add, bearing, mix, normalise, subtract } from '../plant/vector.ts';

/** Smallest visible angle, in radians: about seven pixels of a 4096-pixel image. */
const minVisibleAngle = 0.011;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function seeTag(node: Node, at: Point, visible: number): DemoTagView {
  const { pan, tilt, distance } = bearing(node.position, at);
  return {
    node: node.code,
    pan: rounded(pan, 3),
    tilt: rounded(tilt, 3),
    distance: rounded(distance, 3),
    visible: rounded(visible, 2),
  };
}

/** Nodes from which a tag is visible, nearest first: tests rays to points in and on its box. */
export function viewsOfTag(rays: PlantRays, plant: Plant, tag: Tag): DemoTagView[] {
  const part = plant.parts.find((each) => 'tag' in each && each.tag === tag.tag);
  const views: DemoTagView[] = [];
  for (const node of plant.nodes) {
    const { distance } = bearing(node.position, tag.position);
    if (Math.max(...tag.size) / distance < minVisibleAngle || distance > 40) continue;
    let seen = 0;
    let count = 0;
    for (const fx of [-0.4, 0, 0.4])
      for (const fy of [-0.4, 0, 0.4])
        for (const fz of [-0.4, 0, 0.4]) {
          const target = add(tag.position, [tag.size[0] * fx, tag.size[1] * fy, tag.size[2] * fz]);
          const hit = rays.hit(node.position, normalise(subtract(target, node.position)));
          count++;
          if (hit && part && hit.id === part.id) seen++;
        }
    if (seen / count >= 0.1) views.push(seeTag(node, tag.position, seen / count));
  }
  return views.sort((a, b) => a.distance - b.distance);
}

/** For each node that sees a line, the nearest visible point of it within 18 metres; nearest first. */
export function viewsOfLine(rays: PlantRays, plant: Plant, line: Line): DemoTagView[] {
  const points: Point[] = [];
  for (let k = 1; k < line.points.length; k++) {
    const a = line.points[k - 1]!;
    const b = line.points[k]!;
    const steps = Math.max(1, Math.round(bearing(a, b).distance / 0.5));
    for (let s = 0; s < steps; s++) points.push(mix(a, b, (s + 0.5) / steps));
  }
  const views: DemoTagView[] = [];
  for (const node of plant.nodes) {
    const near = points
      .map((point) => ({ point, distance: bearing(node.position, point).distance }))
      .filter(({ distance }) => distance < 18)
      .sort((a, b) => a.distance - b.distance);
    const inSight = near.filter(
      ({ point }) => rays.hit(node.position, normalise(subtract(point, node.position)))?.id === line.id,
    );
    const [first] = inSight;
    if (first) views.push(seeTag(node, first.point, inSight.length / near.length));
  }
  return views.sort((a, b) => a.distance - b.distance);
}
