import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeShortestTurn, crossProduct, type Point3, type SiteUnit } from '#core';
import { toAxes } from '../../../../common/alignment/camera-pose.ts';
import { toQuaternion, type CameraQuaternion } from './camera-quaternion.ts';
import { listPhotogrammetricAngles, listUnusedColumns, matchColumns, readPoseTable } from './pose-table.ts';
import { decodeText } from './read-text-file.ts';
import { findDeckBelow, listHeaderUnits, readPoses, type PoseOptions } from './read-poses.ts';

const read = async (text: string, options: Partial<PoseOptions> = {}) => {
  const table = await readPoseTable(text);
  return readPoses(table, {
    columns: matchColumns(table),
    unit: 'm',
    siteUnit: 'm',
    frame: undefined,
    headingOffset: 0,
    timeZone: 'Europe/Oslo',
    ...options,
  });
};

const toQuaternionRow = (name: string, quaternion: CameraQuaternion): string => `${name};1;2;3;${quaternion.join(';')}`;

describe('readPoses', () => {
  it('reads files with semicolons and a quaternion, as scanners export them', async () => {
    const sqrtHalf = Math.SQRT1_2;
    const { poses, problems } = await read(
      [
        '# pano poses v1.0: ID; filename; timestamp; pano_pos_x; pano_pos_y; pano_pos_z; pano_ori_w; pano_ori_x; pano_ori_y; pano_ori_z',
        `0; 00000-pano.jpg; 1581955402.1; 1.5; -2.25; 1.7; 1; 0; 0; 0`,
        `1; 00001-pano.jpg; 1581955410.2; 3; 4; 1.7; ${sqrtHalf}; 0; 0; ${sqrtHalf}`,
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    // The x axis points east without a rotation, and north after a quarter turn to the left.
    expect(poses).toMatchObject([
      {
        code: '00000-pano',
        position: [1.5, -2.25, 1.7],
        heading: 90,
        posedAt: new Date('2020-02-17T16:03:22.100Z'),
      },
      { code: '00001-pano', position: [3, 4, 1.7], heading: expect.closeTo(0, 9) },
    ]);
  });

  it('reads files with spaces, and with decimal commas and French names', async () => {
    expect((await read('timestamp imgname x y z qx qy qz qw\n1.5 a/b/img_7.png 1 2 3 0 0 0 1')).poses).toMatchObject([
      { code: 'img-7', name: 'img_7', position: [1, 2, 3], heading: 90, posedAt: null },
    ]);
    expect((await read('nom;est;nord;altitude;cap\nEntrée n°1;512345,5;6654321,25;12,5;-90')).poses).toMatchObject([
      { code: 'Entree-n-1', name: 'Entrée n°1', position: [512_345.5, 6_654_321.25, 12.5], heading: 270 },
    ]);
  });

  it('finds columns by their Danish, Dutch, German, Norwegian, Spanish and Swedish names', async () => {
    const match = async (header: string) =>
      matchColumns(await readPoseTable(`${header}\na.jpg;1;2;3;4;2126-05-12T10:00:00Z`));
    const all = { name: 0, east: 1, north: 2, up: 3, heading: 4, time: 5 };
    for (const header of [
      'Bilde;Ost;Nord;Høyde;Retning;Tid',
      'Bild;Ost [m];Nord [m];Höhe [m];Richtung [°];Zeit [s]',
      'Bild;Öst (m);Nord (m);Höjd (m);Riktning (gon);Tid',
      'BILLEDE;ØST;NORD;HØJDE;RETNING;TID',
      'Beeld;Oost_m;Noord_m;Hoogte_m;Richting_deg;Tijd',
      'Bild;Este;Norte;Altura;Richtung;Zeit',
      'Bild;Ost;Nord;Höhe;Richtung;Zeit'.normalize('NFD'),
    ])
      expect(await match(header), header).toEqual(all);
  });

  it('reads coordinates and angles in the units of their headers, and others in the chosen unit', async () => {
    const text = 'name;X (ft);y_m;Z;Heading (rad);pitch_gon;roll\nA;10;10;10;3.141592653589793;10;9';
    const [pose] = (await read(text, { unit: 'ftUS' })).poses;
    expect(pose?.position.map((value) => Number(value.toFixed(9)))).toEqual([3.048, 10, 3.048006096]);
    expect(pose).toMatchObject({ heading: expect.closeTo(180, 9), tilt: { pitch: 9, roll: 9 } });
    expect((await read(text)).poses[0]?.position).toEqual([3.048, 10, 10]);
    const table = await readPoseTable(text);
    expect(listHeaderUnits(table, matchColumns(table), 'm')).toEqual({
      east: 'ft',
      north: 'm',
      heading: 'rad',
      pitch: 'gon',
    });
    expect(matchColumns(await readPoseTable('name;X (deg);Y (km);Z (m)\nA;1;2;3'))).toEqual({ name: 0, up: 3 });
  });

  it('reads a header with `ft` in the foot of the site, whichever unit was chosen for other headers', async () => {
    const text = 'name;east[ft];north [feet];Z (international ft)\nA;13700000;3937;3937';
    const readNorth = async (siteUnit: SiteUnit, unit: SiteUnit) =>
      (await read(text, { siteUnit, unit })).poses[0]?.position;
    for (const unit of ['m', 'ft', 'ftUS'] as const) {
      const [east, north, up] = (await readNorth('ftUS', unit)) ?? [];
      expect([east?.toFixed(3), north, up?.toFixed(4)]).toEqual(['4175768.352', 1200, '1199.9976']);
      expect((await readNorth('ft', unit))?.[0]?.toFixed(3)).toBe('4175760.000');
      expect((await readNorth('m', unit))?.[0]?.toFixed(3)).toBe('4175760.000');
    }
  });

  it('refuses numbers with a thousands comma in a file that is separated by commas', async () => {
    const { poses, problems } = await read('name,x,y,z,heading\nA,1.5,2,3,45\nB,"1,234",2,3,45');
    expect(poses.map(({ code }) => code)).toEqual(['A']);
    expect(problems).toEqual([{ line: 3, reason: 'noNumber', field: 'east', value: '1,234' }]);
  });

  it('leaves out titles above the header, and reports rows below it that have no numbers', async () => {
    const readAll = async (text: string) => {
      const { poses, problems } = await read(text);
      return [poses.map(({ code }) => code), problems.map(({ line, reason }) => [line, reason])];
    };
    const semicolons = 'Levantamiento 2126, tanques y bombas;;;;\n\nname;x;y;z;heading\nA;;;;\nB;1;2;3;4';
    expect(await readAll(semicolons)).toEqual([['B'], [[4, 'noNumber']]]);
    expect(await readAll('Survey of the tank farm in May\nname,x,y,z\nA,1,2,3\nB,4,5,6')).toEqual([['A', 'B'], []]);
    expect(await readAll('# Survey; by; Ada; 2126\nProject;Site;Author;Company\nname;x;y;z\nA;1;2;3')).toEqual([
      ['A'],
      [],
    ]);
    expect(await readAll('Project;Tank farm\nDate;12.10.2126\nPoints;245\nname;X (ft);Y (ft);Z (ft)\nA;1;2;3')).toEqual(
      [['A'], []],
    );
    expect(await readAll('Survey\n# name;x;y;z\nA;1;2;3')).toEqual([['A'], []]);
    expect(await readAll('A;.12;-.5;.75\nB;1;2;3')).toEqual([
      [],
      [
        [1, 'noName'],
        [2, 'noName'],
      ],
    ]);
    expect(await readAll('A;;;\nB;1;2;3')).toEqual([
      [],
      [
        [1, 'noName'],
        [2, 'noName'],
      ],
    ]);
  });

  it('finds the separator and the header below blank lines and titles, in comments, and beside a column of numbers', async () => {
    const readPositions = async (text: string) =>
      (await read(text)).poses.map(({ code, position }) => [code, ...position]);
    const expected = [
      ['A', 1.5, 2.5, 3.5],
      ['B', 4.5, 5.5, 6.5],
    ];
    expect(await readPositions('name|x|y|z\n\nA|1,5|2,5|3,5\nB|4,5|5,5|6,5')).toEqual(expected);
    expect(await readPositions(`${'Survey\n\n'.repeat(8)}name;x;y;z\nA;1,5;2,5;3,5\nB;4,5;5,5;6,5`)).toEqual(expected);
    expect(await readPositions('# name x y z heading\nA 1.5 2.5 3.5 4\nB 4.5 5.5 6.5 4')).toEqual(expected);
    const table = await readPoseTable(',X (ft),y,z\nA,1,2,3');
    expect([table.columns, table.rows.length]).toEqual([['', 'X (ft)', 'y', 'z'], 1]);
  });

  it('reads separators of thousands, and refuses numbers that have two readings', async () => {
    const readEasts = async (...easts: readonly string[]) => {
      const { poses, problems } = await read(
        `name;x;y;z\n${easts.map((east, index) => `N${index};${east};2;3`).join('\n')}`,
      );
      return [poses.map(({ position }) => position[0]), problems.map(({ value }) => value)];
    };
    expect(await readEasts('1.100,00', '100,50', '1.234.567,5', '-1.100,25')).toEqual([
      [1100, 100.5, 1_234_567.5, -1100.25],
      [],
    ]);
    expect(await readEasts('1,100.00', '100.5', '1,100')).toEqual([[1100, 100.5, 1100], []]);
    expect(await readEasts('1 100,5', '1\u202F100,5', '1\u00A0100,5', '91,540', '12.5')).toEqual([
      [1100.5, 1100.5, 1100.5, 91.54, 12.5],
      [],
    ]);
    expect(await readEasts('-4,371139E-08', '1,234e3', '090,125', '.5')).toEqual([
      [-4.371139e-8, 1234, 90.125, 0.5],
      [],
    ]);
    expect((await read('name;x;y;z;yaw\nA;512345,50;6654321,25;12,5;91.540')).poses).toMatchObject([
      { position: [512_345.5, 6_654_321.25, 12.5], heading: 91.54 },
    ]);
    expect(await readEasts('91,540', '91,541')).toEqual([[91.54, 91.541], []]);
    expect(await readEasts('91.540', '91.541')).toEqual([[91.54, 91.541], []]);
    expect(await readEasts('1.100,5', '1.100')).toEqual([[1100.5], ['1.100']]);
    expect(await readEasts('1.100,5', '1,100.5', '91,540', '2')).toEqual([[2], ['1.100,5', '1,100.5', '91,540']]);
  });

  it('reports each invalid row with its line', async () => {
    const { poses, problems } = await read(
      'filename;x;y;z;qw;qx;qy;qz\na.jpg;1;1;1;1;0;0;0\nA.JPG;2;2;2;1;0;0;0\n;1;1;1;1;0;0;0\nb.jpg;;1;1;1;0;0;0\nc.jpg;1;1;1;2;0;0;0',
    );
    expect(poses.map(({ code }) => code)).toEqual(['a']);
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'twice'],
      [4, 'noName'],
      [5, 'noNumber'],
      [6, 'quaternion'],
    ]);
  });

  it('converts from feet and from the CRS into the rotated frame of a site', async () => {
    const [pose] = (await read('name;x;y;z;heading\nA;100;0;10;0', { unit: 'ft' })).poses;
    expect(pose!.position).toEqual([30.48, 0, 3.048]);
    // The north of the site is 90 degrees clockwise from the north of the CRS, so east becomes north.
    const [twisted] = (
      await read('name;x;y;z;heading\nA;510;600;12;90', {
        frame: { crs: 32_631, origin: { east: 500, north: 600, up: 10 }, rotation: 90, unit: 'm' },
      })
    ).poses;
    expect(twisted!.position.map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([0, 10, 2]);
    expect(twisted!.heading).toBe(0);
  });

  it('turns cameras without a heading to the north of the site, not to that of the CRS', async () => {
    const frame = { crs: 32_631, origin: { east: 500, north: 600, up: 10 }, rotation: 90, unit: 'm' } as const;
    const text = 'name;x;y;z;omega;phi;kappa\nA;510;600;12;0;0;45';
    expect(await read(text, { frame })).toMatchObject({ poses: [{ heading: 0 }], hasHeadings: false });
    expect((await read(text, { frame, headingOffset: 30 })).poses).toMatchObject([{ heading: 30 }]);
  });

  it('lists the angles omega, phi and kappa that are not read', async () => {
    const table = await readPoseTable('name;x;y;z;omega_deg;Phi (gon);κ;yaw\nA;1;2;3;4;5;6;7');
    expect(listPhotogrammetricAngles(table, matchColumns(table))).toEqual(['omega_deg', 'Phi (gon)', 'κ']);
    expect(listPhotogrammetricAngles(table, { ...matchColumns(table), heading: 6 })).toEqual([
      'omega_deg',
      'Phi (gon)',
    ]);
  });

  it('numbers the columns of a file without a header row, and reads no rows from an empty file', async () => {
    const table = await readPoseTable('p1.jpg,1,2,3\np2.jpg,4,5,6\n');
    expect([table.columns, table.rows.length]).toEqual([['1', '2', '3', '4'], 2]);
    const columns = { name: 0, east: 1, north: 2, up: 3 };
    expect(
      readPoses(table, { columns, unit: 'm', siteUnit: 'm', frame: undefined, headingOffset: 30, timeZone: 'UTC' })
        .poses,
    ).toMatchObject([
      { code: 'p1', heading: 30 },
      { code: 'p2', position: [4, 5, 6] },
    ]);
    expect((await readPoseTable('\uFEFF\n\n')).rows).toEqual([]);
  });

  it('reads times at the site, with an offset, and in Unix milliseconds, and reports unreadable times', async () => {
    const { poses, problems } = await read(
      'name;x;y;z;time\na;1;1;1;2026-06-01 14:03:20\nb;1;1;1;2026:06:01 14:03:20.5+0200\nc;1;1;1;1780315400000\nd;1;1;1;at noon',
    );
    expect(poses.map(({ posedAt }) => posedAt?.toISOString())).toEqual([
      '2026-06-01T12:03:20.000Z',
      '2026-06-01T12:03:20.500Z',
      '2026-06-01T12:03:20.000Z',
    ]);
    expect(problems).toEqual([{ line: 5, reason: 'noTime', field: 'time', value: 'at noon' }]);
  });

  it('reads dates with the year last in the order that the file proves', async () => {
    const dayFirst = await read(
      'name;x;y;z;time\na;1;1;1;12.10.2126 09:10:15\nb;1;1;1;13/10/2126 9:10:15.5\nc;1;1;1;31.02.2126 09:00:00',
    );
    expect(dayFirst.poses.map(({ posedAt }) => posedAt?.toISOString())).toEqual([
      '2126-10-12T07:10:15.000Z',
      '2126-10-13T07:10:15.500Z',
    ]);
    expect(dayFirst.dateOrder).toEqual({ proven: 'DAY_FIRST' });
    expect(dayFirst.problems).toMatchObject([{ line: 4, reason: 'noTime' }]);
    const monthFirst = await read('name;x;y;z;time\na;1;1;1;10/12/2126 9:10:15 AM\nb;1;1;1;10/13/2126 9:10:15 PM');
    expect(monthFirst.poses.map(({ posedAt }) => posedAt?.toISOString())).toEqual([
      '2126-10-12T07:10:15.000Z',
      '2126-10-13T19:10:15.000Z',
    ]);
  });

  it('never guesses the order of a date', async () => {
    const text = 'name;x;y;z;time\na;1;1;1;12.10.2126 09:10:15\nb;1;1;1;11.11.2126 09:00:00';
    const open = await read(text);
    expect(open.dateOrder).toEqual({ ambiguous: '12.10.2126 09:10:15' });
    // The same in both orders.
    expect(open.poses.map(({ code }) => code)).toEqual(['b']);
    const monthFirst = await read(text, { dateOrder: 'MONTH_FIRST' });
    expect(monthFirst.poses[0]?.posedAt?.toISOString()).toBe('2126-12-10T08:10:15.000Z');
    const mixed = 'name;x;y;z;time\na;1;1;1;13.10.2126 09:10:15\nb;1;1;1;10.14.2126 09:00:00';
    expect((await read(mixed)).dateOrder).toEqual({ ambiguous: '10.14.2126 09:00:00' });
    const partly = await read(mixed, { dateOrder: 'DAY_FIRST' });
    expect([partly.poses.length, partly.problems]).toMatchObject([1, [{ line: 3, reason: 'noTime' }]]);
  });

  it('names the columns that are not used', async () => {
    const listUnused = async (header: string) => {
      const table = await readPoseTable(`${header}\na;1;1;1;1;0;0;0;0;0`);
      return listUnusedColumns(table, matchColumns(table));
    };
    expect(await listUnused('name;x;y;z;heading;Pitch (deg);Roll;remark')).toEqual(['remark', '9', '10']);
    // A tilt may be the pitch or the angle from the vertical. The person can assign it.
    expect(await listUnused('name;x;y;z;heading;tilt;roll;time;a;b')).toEqual(['tilt', 'a', 'b']);
    // The heading is read from one column, or from a quaternion with the tilt.
    expect(await listUnused('name;x;y;z;qw;qx;qy;qz;heading;a')).toEqual(['qw', 'qx', 'qy', 'qz', 'a']);
    expect(await listUnused('name;x;y;z;qw;qx;qy;qz;pitch;roll')).toEqual(['pitch', 'roll']);
    expect(await listUnused('name;x;y;z;qw;qx;qy;pitch;roll;a')).toEqual(['qw', 'qx', 'qy', 'a']);
  });

  it('reads pitch and roll from columns, and none of a level camera', async () => {
    const { poses, problems, hasTilts } = await read(
      'nom;est;nord;altitude;cap;Tangage (°);Roulis\nA;1;2;3;90;1,5;-2\nB;1;2;4;90;0,004;0\nC;1;2;5;90;95;0\nD;1;2;6;90;1;-361\nE;1;2;7;90;;0\nF;1;2;8;90;;\nG;1;2;9;90;0;359,5',
    );
    expect(poses).toMatchObject([
      { code: 'A', heading: 90, tilt: { pitch: 1.5, roll: -2 } },
      { code: 'B', heading: 90, tilt: null },
      { code: 'F', tilt: null },
      { code: 'G', tilt: { pitch: 0, roll: -0.5 } },
    ]);
    expect(problems.map(({ line, reason, field }) => [line, reason, field])).toEqual([
      [4, 'noAngle', 'pitch'],
      [5, 'noAngle', 'roll'],
      [6, 'noNumber', 'pitch'],
    ]);
    expect(hasTilts).toBe(true);
    const pitched = await read('name;x;y;z;pitch\nA;1;2;3;4');
    expect(pitched).toMatchObject({ poses: [{ tilt: { pitch: 4, roll: 0 } }], hasHeadings: false, hasTilts: true });
    expect(await read('name;x;y;z;heading\nA;1;2;3;4')).toMatchObject({ poses: [{ tilt: null }], hasTilts: false });
  });

  it('reads heading, pitch and roll back from the quaternion that is composed of them', async () => {
    const table = await readPoseTable(`name;x;y;z;qw;qx;qy;qz\n${toQuaternionRow('A', [1, 0, 0, 0])}`);
    const columns = matchColumns(table);
    const angle = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(angle(0, 360), angle(-89, 89), angle(-180, 180), (heading, pitch, roll) => {
        const cells = toQuaternionRow('A', toQuaternion({ heading, pitch, roll })).split(';');
        const [pose] = readPoses(
          { ...table, rows: [{ line: 2, cells }] },
          // The north of the site is turned about the vertical, which changes no tilt.
          {
            columns,
            unit: 'm',
            siteUnit: 'm',
            frame: { crs: 32_631, origin: { east: 0, north: 0, up: 0 }, rotation: 20, unit: 'm' },
            headingOffset: 0,
            timeZone: 'UTC',
          },
        ).poses;
        const tilt = pose!.tilt ?? { pitch: 0, roll: 0 };
        // A tilt below 0.005 degrees is none.
        const maxError = pose!.tilt ? 1e-6 : 0.005;
        const errors = [
          computeShortestTurn(heading - 20, pose!.heading),
          tilt.pitch - pitch,
          computeShortestTurn(roll, tilt.roll),
        ];
        return errors.every((error) => Math.abs(error) <= maxError);
      }),
    );
  });

  it('composes quaternions by the definition of pitch and roll of pictures', () => {
    const rotate = ([w, ...axis]: CameraQuaternion, vector: Point3): Point3 => {
      const inner = crossProduct(axis, vector);
      const outer = crossProduct(axis, inner);
      return vector.map((value, index) => value + 2 * (w * inner[index]! + outer[index]!)) as unknown as Point3;
    };
    const angle = fc.double({ min: -180, max: 180, noNaN: true });
    fc.assert(
      fc.property(angle, angle, angle, (heading, double, roll) => {
        const orientation = { heading, pitch: double / 2, roll };
        const quaternion = toQuaternion(orientation);
        // The axes of a camera are forward, left and up in quaternions.
        const axes = (
          [
            [0, -1, 0],
            [1, 0, 0],
            [0, 0, 1],
          ] as const
        ).map((axis) => rotate(quaternion, axis));
        const errors = toAxes(orientation).flatMap((axis, index) =>
          axis.map((value, part) => Math.abs(value - axes[index]![part]!)),
        );
        return Math.max(...errors) < 1e-9;
      }),
    );
  });

  it('turns the centre of a picture about the up axis of its tilted camera', async () => {
    // The camera faces north with a raised front. A centre at its right is level, and its right side is the low back.
    const pitched = 'name;x;y;z;heading;pitch;roll\nA;1;2;3;0;10;0';
    const quarter = {
      heading: expect.closeTo(90, 9),
      tilt: { pitch: expect.closeTo(0, 9), roll: expect.closeTo(10, 9) },
    };
    expect((await read(pitched, { headingOffset: 90 })).poses).toMatchObject([quarter]);
    const quaternion = `name;x;y;z;qw;qx;qy;qz\n${toQuaternionRow('A', toQuaternion({ heading: 0, pitch: 10, roll: 0 }))}`;
    expect((await read(quaternion, { headingOffset: 90 })).poses).toMatchObject([quarter]);
    expect((await read(pitched, { headingOffset: 180 })).poses).toMatchObject([
      { heading: expect.closeTo(180, 9), tilt: { pitch: expect.closeTo(-10, 9), roll: expect.closeTo(0, 9) } },
    ]);
    // The heading of a level camera is increased by exactly the offset.
    expect((await read('name;x;y;z;heading;pitch;roll\nA;1;2;3;350;0;0', { headingOffset: 30.1 })).poses).toMatchObject(
      [{ heading: 350 + 30.1 - 360, tilt: null }],
    );
  });

  it('reads UTF-8, UTF-16 and Windows-1252', async () => {
    const utf16 = Uint8Array.from([0xff, 0xfe, 0xe9, 0x00]);
    const texts = [new TextEncoder().encode('é'), utf16, Uint8Array.from([0xe9])].map(decodeText);
    expect(texts.map((text) => text.replace('\uFEFF', ''))).toEqual(['é', 'é', 'é']);
  });

  it('assigns poses to the highest deck below the camera', async () => {
    const decks = [
      { uid: 'main', elevation: 12 },
      { uid: 'cellar', elevation: 4 },
    ];
    expect([3.5, 5.7, 11.9, 20].map((up) => findDeckBelow(decks, up))).toEqual([null, 'cellar', 'main', 'main']);
  });
});
