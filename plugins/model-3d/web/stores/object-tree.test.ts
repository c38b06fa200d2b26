import { describe, expect, it } from 'vitest';
import type { ModelObject } from '../viewer/model-content.ts';
import { ModelViewStore } from './model-view-store.ts';
import { ObjectTree } from './object-tree.ts';

interface Branch {
  readonly name: string;
  readonly tag?: string;
  readonly type?: string;
  readonly parts?: readonly (Branch | string)[];
}

/** Objects of a model named `Plant`, in the order of a file. */
function buildObjects(branches: readonly (Branch | string)[]): readonly ModelObject[] {
  const objects: ModelObject[] = [];
  const add = (branch: Branch | string, parent: number | undefined): void => {
    const { name, tag, type, parts = [] } = typeof branch === 'string' ? { name: branch } : branch;
    const id = objects.length;
    const properties = type === undefined ? [] : [['Type', type] as const];
    objects.push({ id, parent, name, model: 'M1', key: `${id}`, tag, node: undefined, properties });
    for (const part of parts) add(part, id);
  };
  add({ name: 'Plant', parts: branches }, undefined);
  return objects;
}

/** Returns the names of the objects that a click on each part selects. */
function selectParts(branches: readonly (Branch | string)[], ...parts: readonly string[]): readonly string[] {
  const objects = buildObjects(branches);
  const tree = new ObjectTree(objects);
  return parts.map((part) => {
    const clickedObject = objects.find(({ name }) => name === part);
    return objects[tree.findSelectable(clickedObject?.id ?? NaN)]?.name ?? '';
  });
}

const listNames = (branches: readonly (Branch | string)[]): readonly string[] => {
  const objects = buildObjects(branches);
  return new ObjectTree(objects)
    .listRows(new Set(objects.map(({ id }) => id)), '')
    .map(({ object, depth }) => `${depth} ${object.name}`);
};

/** The objects of a model from a marketplace, converted from FBX. */
const tanker: readonly Branch[] = [
  {
    name: 'Sketchfab_model',
    parts: [
      {
        name: '94d6c67918f74c6fbb1dbab506f21050.fbx',
        parts: [{ name: 'RootNode', parts: [{ name: 'Tanker', parts: ['Tanker_Tanker_0'] }] }],
      },
    ],
  },
];

describe('ObjectTree', () => {
  it('[TOUR-13] selects the equipment of a clicked part: by its tag, else by a name like a tag', () => {
    const deck: Branch = {
      name: 'UNIT-10',
      parts: [
        { name: 'Pump', tag: 'P-101', parts: ['casing', { name: 'Motor', parts: ['Mesh_1'] }] },
        { name: '/V-1101', parts: [{ name: 'Nozzles', parts: ['N1'] }, 'CYLINDER 1 of EQUIPMENT /V-1101'] },
        { name: 'Kerb', type: 'CONCRETE' },
      ],
    };
    expect(selectParts([deck], 'Mesh_1', 'N1', 'CYLINDER 1 of EQUIPMENT /V-1101', 'Kerb')).toEqual([
      'Pump',
      '/V-1101',
      '/V-1101',
      'Kerb',
    ]);
  });

  it('[TOUR-13] selects the equipment of a part whose name only looks like a tag', () => {
    const vessel: Branch = {
      name: '/V-1101',
      parts: [{ name: '/V-1101/N1', parts: ['CYLINDER 2'] }, { name: 'N12' }, 'BOX_12', 'CYLINDER 1'],
    };
    const line: Branch = { name: '/24"-PG-10052', parts: [{ name: '/24"-PG-10052/B1', parts: ['ELBOW 1'] }] };
    expect(selectParts([vessel, line], 'CYLINDER 2', 'N12', 'BOX_12', 'CYLINDER 1', 'ELBOW 1')).toEqual([
      '/V-1101',
      '/V-1101',
      '/V-1101',
      '/V-1101',
      '/24"-PG-10052',
    ]);
    expect(selectParts([{ name: '/U100', parts: ['/U100/V-1101', '/U100/V-1102'] }], '/U100/V-1101')).toEqual([
      '/U100/V-1101',
    ]);
  });

  it('[TOUR-13] selects the element of a room whose number looks like a tag', () => {
    const cabinet: Branch = { name: 'Cabinet', type: 'IFCFURNISHINGELEMENT' };
    expect(selectParts([{ name: 'A103', type: 'IFCSPACE', parts: [cabinet] }], 'Cabinet')).toEqual(['Cabinet']);
    expect(selectParts([{ name: 'A103', type: 'IFCELEMENTASSEMBLY', parts: [cabinet] }], 'Cabinet')).toEqual(['A103']);
  });

  it('[TOUR-13] selects the named assembly of a shape, but never an area or the whole model', () => {
    const deck: Branch = {
      name: 'Deck',
      parts: [
        { name: 'Exchangers', parts: [{ name: 'Cooler', parts: ['Shell', 'Nozzle 1', 'Nozzle 2'] }] },
        { name: 'Structure', parts: ['Beam 1', 'Beam 2'] },
        { name: 'Access', parts: [{ name: 'Stair', type: 'STEEL' }, 'Mesh_7'] },
        { name: 'Group_3', parts: ['Mesh_8', 'Mesh_9'] },
        { name: 'Tank', parts: ['Mesh_10', 'Mesh_11'] },
      ],
    };
    expect(
      selectParts([deck, 'Mesh_12'], 'Nozzle 2', 'Beam 2', 'Stair', 'Mesh_7', 'Mesh_8', 'Mesh_10', 'Mesh_12'),
    ).toEqual(['Cooler', 'Beam 2', 'Stair', 'Mesh_7', 'Group_3', 'Tank', 'Mesh_12']);
    expect(selectParts(tanker, 'Tanker_Tanker_0')).toEqual(['Tanker']);
  });

  it('[TOUR-13] lists the children of a wrapper in its place', () => {
    expect(listNames(tanker)).toEqual(['0 Plant', '1 Tanker']);
    expect(listNames([{ name: 'Deck', parts: [{ name: 'Deck', parts: ['A', 'Group_1'] }] }])).toEqual([
      '0 Plant',
      '1 Deck',
      '2 A',
      '2 Group_1',
    ]);
    expect(listNames([{ name: 'Node_1', tag: 'P-1', parts: ['Mesh_1', 'Mesh_2'] }, 'Mesh_3'])).toEqual([
      '0 Plant',
      '1 Node_1',
      '2 Mesh_1',
      '2 Mesh_2',
      '1 Mesh_3',
    ]);
  });

  it('[TOUR-13] selects parents up to the root, and then children down to the clicked part', () => {
    const modelView = new ModelViewStore();
    const objects = buildObjects([
      { name: 'Deck', parts: [{ name: 'RootNode', parts: ['Beam', { name: 'P-101', parts: ['Shell', 'Nozzle'] }] }] },
    ]);
    modelView.setObjects(objects, undefined);
    const clickedId = objects.length - 1;
    modelView.select([modelView.tree.findSelectable(clickedId)], clickedId);
    const names = [modelView.selectedObject?.name];
    for (const step of ['up', 'up', 'up', 'down', 'down', 'down', 'down'] as const) {
      if (step === 'up') modelView.selectParent();
      else modelView.selectChild();
      names.push(modelView.selectedObject?.name);
    }
    expect(names).toEqual(['P-101', 'Deck', 'Plant', 'Plant', 'Deck', 'P-101', 'Nozzle', 'Nozzle']);
  });
});
