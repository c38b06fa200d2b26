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
const pitch = 4;

/** A small procedural plant: vessels in rows and pipes between them on a deck. Checks a device without a download. */
export function samplePlant(): ModelContent {
  const objects: ModelObject[] = [];
  const parts: ModelPart[] = [];
  const paint = (colour: number): MeshLambertMaterial => new MeshLambertMaterial({ color: new Color(colour) });
  const [steel, cream, blue, yellow, deck] = [
    paint(0xb9bfc4),
    paint(0xd9cfae),
    paint(0x2f5f99),
    paint(0xd8a31a),
    paint(0x5c7266),
  ];
  const object = (name: string, parent: number | undefined, tag?: string): number =>
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
  const part = (owner: number, geometry: BufferGeometry, material: MeshLambertMaterial, matrix: Matrix4): void =>
    void parts.push({ object: owner, geometry, material, matrix });

  // The axis of three's cylinders is y.
  const upright = new Matrix4().makeRotationX(Math.PI / 2);
  const shell = new CylinderGeometry(0.8, 0.8, 2.4, 48, 1, true);
  const head = new SphereGeometry(0.8, 48, 16, 0, Math.PI * 2, 0, Math.PI / 2);
  const leg = new BoxGeometry(0.16, 0.16, 0.8);
  const ring = new TorusGeometry(0.82, 0.03, 8, 48);
  const pipe = new CylinderGeometry(0.11, 0.11, pitch, 24);
  const floor = new BoxGeometry(columns * pitch + 4, rows * pitch + 4, 0.2);

  const root = object('Sample', undefined);
  part(
    object('Deck', root),
    floor,
    deck,
    new Matrix4().makeTranslation(((columns - 1) * pitch) / 2, ((rows - 1) * pitch) / 2, -0.1),
  );
  for (let row = 0; row < rows; row++) {
    const line = object(`Row ${row + 1}`, root);
    for (let column = 0; column < columns; column++) {
      const vessel = object(`V-${row + 1}${column + 1}`, line, `V-${row + 1}${column + 1}`);
      const at = (z: number): Matrix4 => new Matrix4().makeTranslation(column * pitch, row * pitch, z);
      part(vessel, shell, (row + column) % 3 === 0 ? cream : steel, at(2).multiply(upright));
      part(vessel, head, steel, at(3.2).multiply(upright));
      part(vessel, ring, yellow, at(3.2));
      for (const [x, y] of [
        [-0.5, -0.5],
        [0.5, -0.5],
        [0.5, 0.5],
        [-0.5, 0.5],
      ] as const)
        part(vessel, leg, blue, new Matrix4().makeTranslation(column * pitch + x, row * pitch + y, 0.4));
      if (column > 0)
        part(
          object(`P-${row + 1}${column}`, line, `P-${row + 1}${column}`),
          pipe,
          blue,
          new Matrix4()
            .makeTranslation((column - 0.5) * pitch, row * pitch, 1.2)
            .multiply(new Matrix4().makeRotationZ(Math.PI / 2)),
        );
    }
  }
  return { objects, parts };
}
