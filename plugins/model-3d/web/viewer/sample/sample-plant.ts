import {
  BoxGeometry,
  Color,
  CylinderGeometry,
  Matrix4,
  MeshLambertMaterial,
  SphereGeometry,
  TorusGeometry,
  type BufferGeometry,
} from 'three';
import type { ModelContent, ModelObject, ModelPart } from '../model-content.ts';

const columns = 6;
const rows = 5;
const pitchMetres = 4;

/** Creates a small plant with rows of vessels and pipes on a deck, for checking a device without a download. */
export function createSamplePlant(): ModelContent {
  const objects: ModelObject[] = [];
  const parts: ModelPart[] = [];
  const createPaint = (colour: number): MeshLambertMaterial => new MeshLambertMaterial({ color: new Color(colour) });
  const [steel, cream, blue, yellow, deck] = [
    createPaint(0xb9bfc4),
    createPaint(0xd9cfae),
    createPaint(0x2f5f99),
    createPaint(0xd8a31a),
    createPaint(0x5c7266),
  ];
  const addObject = (name: string, parent: number | undefined, tag?: string): number =>
    objects.push({
      id: objects.length,
      parent,
      name,
      model: 'sample',
      key: name,
      tag,
      node: undefined,
      properties: [],
    }) - 1;
  const addPart = (owner: number, geometry: BufferGeometry, material: MeshLambertMaterial, matrix: Matrix4): void =>
    void parts.push({ object: owner, geometry, material, matrix });

  // The axis of cylinders in three.js is y.
  const upright = new Matrix4().makeRotationX(Math.PI / 2);
  const shell = new CylinderGeometry(0.8, 0.8, 2.4, 48, 1, true);
  const cap = new SphereGeometry(0.8, 48, 16, 0, Math.PI * 2, 0, Math.PI / 2);
  const leg = new BoxGeometry(0.16, 0.16, 0.8);
  const ring = new TorusGeometry(0.82, 0.03, 8, 48);
  const pipe = new CylinderGeometry(0.11, 0.11, pitchMetres, 24);
  const floor = new BoxGeometry(columns * pitchMetres + 4, rows * pitchMetres + 4, 0.2);

  const root = addObject('Sample', undefined);
  addPart(
    addObject('Deck', root),
    floor,
    deck,
    new Matrix4().makeTranslation(((columns - 1) * pitchMetres) / 2, ((rows - 1) * pitchMetres) / 2, -0.1),
  );
  for (let row = 0; row < rows; row++) {
    const line = addObject(`Row ${row + 1}`, root);
    for (let column = 0; column < columns; column++) {
      const vessel = addObject(`V-${row + 1}${column + 1}`, line, `V-${row + 1}${column + 1}`);
      const atHeight = (z: number): Matrix4 =>
        new Matrix4().makeTranslation(column * pitchMetres, row * pitchMetres, z);
      addPart(vessel, shell, (row + column) % 3 === 0 ? cream : steel, atHeight(2).multiply(upright));
      addPart(vessel, cap, steel, atHeight(3.2).multiply(upright));
      addPart(vessel, ring, yellow, atHeight(3.2));
      for (const [x, y] of [
        [-0.5, -0.5],
        [0.5, -0.5],
        [0.5, 0.5],
        [-0.5, 0.5],
      ] as const)
        addPart(vessel, leg, blue, new Matrix4().makeTranslation(column * pitchMetres + x, row * pitchMetres + y, 0.4));
      if (column > 0)
        addPart(
          addObject(`P-${row + 1}${column}`, line, `P-${row + 1}${column}`),
          pipe,
          blue,
          new Matrix4()
            .makeTranslation((column - 0.5) * pitchMetres, row * pitchMetres, 1.2)
            .multiply(new Matrix4().makeRotationZ(Math.PI / 2)),
        );
    }
  }
  return { objects, parts };
}
