import { Document, NodeIO, type Node } from '@gltf-transform/core';
import { createBoxFactory } from './box-model.ts';

/** A node of a plant model. Without `parts` it is a cube with edges of 1 m. */
export interface PlantNode {
  readonly name?: string;
  readonly extras?: Readonly<Record<string, unknown>>;
  /** East, north and up in metres, relative to the node above. */
  readonly at?: readonly [number, number, number];
  readonly parts?: readonly PlantNode[];
}

/** Attributes as exporters of plant models write them. */
const buildAttributes = (Tag: string): NonNullable<PlantNode['extras']> => ({
  attributes: { DESIGN: { Tag, Owner: 'AREA-21' }, list: [{ name: 'Spec', value: 'A1A' }] },
});

/** A model as exporters of plant design programs write it: its nodes have no `tag`, but names and nested attributes. */
export const exportedPlant: readonly PlantNode[] = [
  {
    name: '/SITE-1',
    parts: [
      {
        name: '/ZONE-21',
        parts: [
          {
            name: '/V-2101',
            at: [10, 20, 2],
            parts: [
              { at: [0, 0, 0] },
              { at: [3, 0, 0] },
              { name: 'NOZZLE 1 of EQUIPMENT /V-2101', at: [1, 0, 1] },
              { name: '/V-2101/N1', at: [2, 0, 1] },
            ],
          },
          { name: 'P-2103A-body', at: [30, 0, 0] },
          { name: 'V 2102', at: [40, 0, 0] },
          { name: 'EQUI 77', at: [50, 0, 0], extras: buildAttributes('PSV-2104') },
          { name: '/T-2105', at: [60, 0, 0] },
          { name: '/T-2105', at: [70, 0, 0] },
          { name: '/X-1', at: [80, 0, 0] },
          { name: 'HANDRAIL 12', at: [90, 0, 0] },
        ],
      },
    ],
  },
];

/** Writes a plant model as a GLB, y up. */
export function writePlantModel(nodes: readonly PlantNode[] = exportedPlant): Promise<Uint8Array> {
  const document = new Document();
  const createBox = createBoxFactory(document);
  const toNode = ({ name = '', extras = {}, at: [east, north, up] = [0, 0, 0], parts }: PlantNode): Node => {
    const node = document
      .createNode(name)
      .setExtras({ ...extras })
      .setTranslation([east, up, -north]);
    if (parts) for (const part of parts) node.addChild(toNode(part));
    else node.setMesh(createBox());
    return node;
  };
  const scene = document.createScene();
  for (const node of nodes) scene.addChild(toNode(node));
  return new NodeIO().writeBinary(document);
}
