import { pipeSize } from './pipe-sizes.ts';
import type { DeckCode, Instrument, Line, Material, Part, Point, SignStyle, Valve } from './types.ts';
import { add, along, cross, frame, mix, normalise, scale, subtract } from './vector.ts';

/** A part before the builder assigns its id. */
export type Draft<P extends Part = Part> = P extends Part ? Omit<P, 'id'> & { readonly id?: string } : never;

interface LineOptions {
  readonly material: Material;
  readonly insulation?: number;
  /** Flange pairs, as distances in metres from the first point along the corners. */
  readonly flanges?: readonly number[];
  /** Printed markers: distance along the corners, and the side from which they are read. */
  readonly markers?: readonly (readonly [distance: number, facing: Point])[];
}

/** Collects the parts of the plant; ids are the tag, or the kind and a running number. */
export class PlantBuilder {
  readonly parts: Part[] = [];
  readonly #counts = new Map<string, number>();
  readonly #ids = new Set<string>();
  deck: DeckCode = 'PROCESS';

  /** Assigns everything that `draw` adds to `deck`. */
  on(deck: DeckCode, draw: () => void): void {
    const before = this.deck;
    this.deck = deck;
    draw();
    this.deck = before;
  }

  add(draft: Draft): void {
    const id = draft.id ?? ('tag' in draft ? draft.tag : this.#number(draft.kind));
    if (this.#ids.has(id)) throw new Error(`Two parts of the demo plant are called "${id}". Rename one of them.`);
    this.#ids.add(id);
    this.parts.push({ ...draft, id } as Part);
  }

  #number(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}-${String(count).padStart(4, '0')}`;
  }

  block(centre: Point, size: Point, material: Material, heading?: number): void {
    this.add({ kind: 'block', deck: this.deck, centre, size, material, ...(heading === undefined ? {} : { heading }) });
  }

  /** A block by its lower and upper corner. */
  between(min: Point, max: Point, material: Material): void {
    this.block(mix(min, max, 0.5), subtract(max, min), material);
  }

  post(from: Point, to: Point, radius: number, material: Material, endRadius?: number): void {
    this.add({
      kind: 'post',
      deck: this.deck,
      from,
      to,
      radius,
      material,
      ...(endRadius === undefined ? {} : { endRadius }),
    });
  }

  beam(from: Point, to: Point, height: number, width: number, material: Material = 'steel-structure'): void {
    this.add({ kind: 'beam', deck: this.deck, from, to, height, width, material });
  }

  sign(at: Point, facing: Point, width: number, height: number, style: SignStyle, ...text: string[]): void {
    this.add({ kind: 'sign', deck: this.deck, at, facing, width, height, style, text });
  }

  /** A tag plate with letters legible from the next node. */
  plate(at: Point, facing: Point, tag: string): void {
    this.sign(at, facing, 0.075 + tag.length * 0.043, 0.12, 'tag', tag);
  }

  line(
    number: string,
    service: string,
    from: string,
    to: string,
    points: readonly Point[],
    options: LineOptions,
  ): Line {
    const nps = number.slice(0, number.indexOf('"'));
    const size = pipeSize(nps);
    const at = (distance: number): { at: Point; direction: Point } => {
      let rest = distance;
      for (let i = 1; i < points.length; i++) {
        const a = points[i - 1]!;
        const b = points[i]!;
        const step = subtract(b, a);
        const span = Math.hypot(...step);
        if (rest <= span) return { at: along(a, normalise(step), rest), direction: normalise(step) };
        rest -= span;
      }
      throw new Error(`Line ${number} is shorter than ${distance} m: a flange or marker lies beyond its end.`);
    };
    const line: Line = {
      kind: 'line',
      id: number,
      deck: this.deck,
      number,
      service,
      nps,
      dn: size.dn,
      outsideDiameter: size.outsideDiameter / 1000,
      insulation: options.insulation ?? 0,
      from,
      to,
      points,
      material: options.material,
      flanges: (options.flanges ?? []).map(at),
      markers: (options.markers ?? []).map(([distance, facing]) => {
        const place = at(distance);
        // The text reads from left to right on its side.
        const right = cross([0, 0, 1], facing);
        const forward =
          place.direction[2] === 0
            ? place.direction[0] * right[0] + place.direction[1] * right[1] < 0
              ? scale(place.direction, -1)
              : place.direction
            : ([0, 0, 1] as Point);
        return { at: place.at, along: forward, facing };
      }),
    };
    this.add(line);
    return line;
  }

  valve(
    tag: string,
    type: Valve['type'],
    description: string,
    line: string,
    at: Point,
    direction: Point,
    stem: Point,
    plateFacing?: Point,
  ): void {
    const nps = line.slice(0, line.indexOf('"'));
    this.add({ kind: 'valve', deck: this.deck, tag, type, description, line, nps, at, direction, stem });
    if (plateFacing) {
      const od = pipeSize(nps).outsideDiameter / 1000;
      const below: Point = stem[2] < -0.5 ? [0, 0, 1] : [0, 0, -1];
      const vertical = Math.abs(direction[2]) > 0.5;
      const offset = vertical
        ? scale(normalise(cross(direction, plateFacing)), od * 1.4 + 0.24)
        : scale(below, od * 0.9 + 0.13);
      this.plate(add(along(at, plateFacing, od * 0.75), offset), plateFacing, tag);
    }
  }

  instrument(
    tag: string,
    type: Instrument['type'],
    description: string,
    at: Point,
    facing: Point,
    extra: { tap?: Point; line?: string; height?: number; plate?: boolean } = {},
  ): void {
    const { plate = true, ...rest } = extra;
    this.add({ kind: 'instrument', deck: this.deck, tag, type, description, at, facing, ...rest });
    if (plate)
      this.plate(
        along([at[0], at[1], at[2] - (rest.height ? rest.height / 2 + 0.14 : 0.24)], facing, 0.06),
        facing,
        tag,
      );
  }

  /** A lattice of four chords with bracing, such as a crane boom. */
  truss(
    from: Point,
    to: Point,
    width: number,
    endWidth: number,
    bays: number,
    radius: number,
    material: Material,
  ): void {
    const axis = normalise(subtract(to, from));
    const { u, v } = frame(axis);
    const corner = (t: number, k: number): Point => {
      const half = (width + (endWidth - width) * t) / 2;
      const su = k === 0 || k === 3 ? -half : half;
      const sv = k < 2 ? -half : half;
      return along(along(mix(from, to, t), u, su), v, sv);
    };
    for (let k = 0; k < 4; k++) {
      this.post(corner(0, k), corner(1, k), radius, material);
      for (let bay = 0; bay < bays; bay++) {
        const next = (k + 1) % 4;
        this.post(corner(bay / bays, k), corner((bay + 1) / bays, bay % 2 === 0 ? next : k), radius * 0.55, material);
        this.post(corner((bay + 1) / bays, k), corner((bay + 1) / bays, next), radius * 0.5, material);
      }
    }
  }

  handrail(points: readonly Point[], toeBoard = true): void {
    this.add({ kind: 'handrail', deck: this.deck, points, toeBoard });
  }
}
