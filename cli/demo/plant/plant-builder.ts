import { getPipeSize } from './pipe-sizes.ts';
import type { DeckCode, Instrument, Line, Material, Part, Point, SignStyle, Valve, Vector } from './types.ts';
import { add, addScaled, cross, createFrame, mix, normalise, scale, subtract } from './vector.ts';

/** A part before the builder assigns its id. */
export type PartDraft<P extends Part = Part> = P extends Part ? Omit<P, 'id'> & { readonly id?: string } : never;

interface LineOptions {
  readonly material: Material;
  readonly insulation?: number;
  /** Distances of flange pairs from the first point along the line, in metres. */
  readonly flanges?: readonly number[];
  /** Printed markers: distance from the first point along the line, and the side from which the text is read. */
  readonly markers?: readonly (readonly [distance: number, facing: Vector])[];
}

/** Collects the parts of the plant. The id of a part is its tag, or its kind and a running number. */
export class PlantBuilder {
  readonly parts: Part[] = [];
  readonly #counts = new Map<string, number>();
  readonly #ids = new Set<string>();
  deck: DeckCode = 'PROCESS';

  /** Assigns the parts that `addParts` adds to `deck`. */
  addToDeck(deck: DeckCode, addParts: () => void): void {
    const previousDeck = this.deck;
    this.deck = deck;
    addParts();
    this.deck = previousDeck;
  }

  add(draft: PartDraft): void {
    const id = draft.id ?? ('tag' in draft ? draft.tag : this.#createId(draft.kind));
    if (this.#ids.has(id)) throw new Error(`Two parts of the demo plant are called "${id}". Rename one of them.`);
    this.#ids.add(id);
    this.parts.push({ ...draft, id } as Part);
  }

  #createId(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}-${String(count).padStart(4, '0')}`;
  }

  addBlock(centre: Point, size: Vector, material: Material, heading?: number): void {
    this.add({ kind: 'block', deck: this.deck, centre, size, material, ...(heading === undefined ? {} : { heading }) });
  }

  /** A block by its lower and upper corner. */
  addBlockBetween(min: Point, max: Point, material: Material): void {
    this.addBlock(mix(min, max, 0.5), subtract(max, min), material);
  }

  addPost(from: Point, to: Point, radius: number, material: Material, endRadius?: number): void {
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

  addBeam(from: Point, to: Point, height: number, width: number, material: Material = 'steel-structure'): void {
    this.add({ kind: 'beam', deck: this.deck, from, to, height, width, material });
  }

  addSign(at: Point, facing: Vector, width: number, height: number, style: SignStyle, ...text: string[]): void {
    this.add({ kind: 'sign', deck: this.deck, at, facing, width, height, style, text });
  }

  /** A tag plate with letters legible from the next node. */
  addPlate(at: Point, facing: Vector, tag: string): void {
    this.addSign(at, facing, 0.075 + tag.length * 0.043, 0.12, 'tag', tag);
  }

  addLine(
    number: string,
    service: string,
    from: string,
    to: string,
    points: readonly Point[],
    options: LineOptions,
  ): Line {
    const nps = number.slice(0, number.indexOf('"'));
    const size = getPipeSize(nps);
    const findPosition = (distance: number): { at: Point; direction: Vector } => {
      let remainingDistance = distance;
      for (let i = 1; i < points.length; i++) {
        const a = points[i - 1]!;
        const b = points[i]!;
        const segment = subtract(b, a);
        const segmentLength = Math.hypot(...segment);
        if (remainingDistance <= segmentLength)
          return { at: addScaled(a, normalise(segment), remainingDistance), direction: normalise(segment) };
        remainingDistance -= segmentLength;
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
      flanges: (options.flanges ?? []).map(findPosition),
      markers: (options.markers ?? []).map(([distance, facing]) => {
        const position = findPosition(distance);
        // The direction in which the text runs from left to right.
        const right = cross([0, 0, 1], facing);
        const forward =
          position.direction[2] === 0
            ? position.direction[0] * right[0] + position.direction[1] * right[1] < 0
              ? scale(position.direction, -1)
              : position.direction
            : ([0, 0, 1] as Point);
        return { at: position.at, along: forward, facing };
      }),
    };
    this.add(line);
    return line;
  }

  addValve(
    tag: string,
    type: Valve['type'],
    description: string,
    line: string,
    at: Point,
    direction: Vector,
    stem: Vector,
    plateFacing?: Point,
  ): void {
    const nps = line.slice(0, line.indexOf('"'));
    this.add({ kind: 'valve', deck: this.deck, tag, type, description, line, nps, at, direction, stem });
    if (plateFacing) {
      const diameter = getPipeSize(nps).outsideDiameter / 1000;
      const below: Point = stem[2] < -0.5 ? [0, 0, 1] : [0, 0, -1];
      const vertical = Math.abs(direction[2]) > 0.5;
      const offset = vertical
        ? scale(normalise(cross(direction, plateFacing)), diameter * 1.4 + 0.24)
        : scale(below, diameter * 0.9 + 0.13);
      this.addPlate(add(addScaled(at, plateFacing, diameter * 0.75), offset), plateFacing, tag);
    }
  }

  addInstrument(
    tag: string,
    type: Instrument['type'],
    description: string,
    at: Point,
    facing: Vector,
    options: { tap?: Point; line?: string; height?: number; plate?: boolean } = {},
  ): void {
    const { plate = true, ...instrumentProperties } = options;
    this.add({ kind: 'instrument', deck: this.deck, tag, type, description, at, facing, ...instrumentProperties });
    if (plate)
      this.addPlate(
        addScaled(
          [at[0], at[1], at[2] - (instrumentProperties.height ? instrumentProperties.height / 2 + 0.14 : 0.24)],
          facing,
          0.06,
        ),
        facing,
        tag,
      );
  }

  /** A lattice of four chords with bracing, such as a crane boom. */
  addTruss(
    from: Point,
    to: Point,
    width: number,
    endWidth: number,
    bays: number,
    radius: number,
    material: Material,
  ): void {
    const axis = normalise(subtract(to, from));
    const { u, v } = createFrame(axis);
    const computeCorner = (fraction: number, k: number): Point => {
      const half = (width + (endWidth - width) * fraction) / 2;
      const offsetU = k === 0 || k === 3 ? -half : half;
      const offsetV = k < 2 ? -half : half;
      return addScaled(addScaled(mix(from, to, fraction), u, offsetU), v, offsetV);
    };
    for (let k = 0; k < 4; k++) {
      this.addPost(computeCorner(0, k), computeCorner(1, k), radius, material);
      for (let bay = 0; bay < bays; bay++) {
        const nextCorner = (k + 1) % 4;
        this.addPost(
          computeCorner(bay / bays, k),
          computeCorner((bay + 1) / bays, bay % 2 === 0 ? nextCorner : k),
          radius * 0.55,
          material,
        );
        this.addPost(
          computeCorner((bay + 1) / bays, k),
          computeCorner((bay + 1) / bays, nextCorner),
          radius * 0.5,
          material,
        );
      }
    }
  }

  addHandrail(points: readonly Point[], toeBoard = true): void {
    this.add({ kind: 'handrail', deck: this.deck, points, toeBoard });
  }
}
