import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { Accounts, enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import {
  listAnnotations,
  listMeasurements,
  listSnapshots,
  putAnnotation,
  putComment,
  putMeasurement,
  putSnapshot,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const row = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const written = { name: 'Leak', tour: 'T1', node: null, view: null, shared: true, version: 0 } as const;
const points = [{ point: [1, 2, 3] as const, sigma: null, source: 'MODEL' as const, edge: false }];

describeOnDatabases('authors', (kind) => {
  let server: TestServer;
  let ann: string;
  let ben: string;
  let annUid: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, annotate)] });
    await server
      .service(LocationStore)
      .upsert([row('site', null, 'PRIMARY_LOCATION'), row('unit', 'site', 'PLATFORM_UNIT')]);
    const person = await server.addPerson({ username: 'ann@example.test' });
    annUid = person.uid;
    ann = await server.signIn(person);
    ben = await server.signIn({ username: 'ben@example.test' });
    await rename('Ann Lee');
    const params = { location: 'unit', uid: toUid(1) };
    await server.call(putMeasurement, {
      params,
      token: ann,
      body: {
        ...written,
        kind: 'CORDINATES',
        points: [...points],
        result: { value: null, sigma: null, details: {} },
        unit: 'm',
      },
    });
    await server.call(putAnnotation, {
      params,
      token: ann,
      body: { ...written, kind: 'TEXT_LABEL', text: 'Drips', temperature: null, status: 'OPEN', points: [...points] },
    });
    await server.call(putComment, {
      params: { ...params, comment: toUid(2) },
      token: ann,
      body: { text: 'Since Monday' },
    });
    await server.call(putSnapshot, { params, token: ann, body: { ...written, text: '', tag: null, marks: [] } });
    await server.server.database.query('update annotate.snapshot set picture = $1', ['none']);
  });
  afterAll(() => server.close());

  const rename = async (name: string): Promise<void> => void (await server.service(Accounts).update(annUid, { name }));
  /** Everything that a colleague receives, and the authors in it. */
  const toldTo = async (token: string): Promise<{ readonly text: string; readonly authors: readonly string[] }> => {
    const params = { location: 'unit' };
    const [measurements, annotations, snapshots] = await Promise.all([
      server.call(listMeasurements, { params, query: {}, token }),
      server.call(listAnnotations, { params, query: {}, token }),
      server.call(listSnapshots, { params, query: {}, token }),
    ]);
    const all = [measurements.body.rows, annotations.body.rows, snapshots.body.rows];
    return {
      text: JSON.stringify(all),
      authors: [
        ...all.flatMap((each) => each.map(({ author }) => author)),
        ...annotations.body.rows.flatMap(({ comments }) => comments.map(({ author }) => author)),
      ],
    };
  };

  it('[TOUR-09] names authors to colleagues without their email address', async () => {
    const { text, authors } = await toldTo(ben);
    expect(authors).toEqual(['Ann Lee', 'Ann Lee', 'Ann Lee', 'Ann Lee']);
    expect(text).not.toContain('ann@example.test');
    expect(text).not.toContain(annUid);
  });

  it('[TOUR-09] uses the current name of an author, and the address only without a name', async () => {
    await rename('Ann Lee-Moreau');
    expect((await toldTo(ben)).authors).toEqual([
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
    ]);
    await rename(' ');
    expect(new Set((await toldTo(ben)).authors)).toEqual(new Set(['ann@example.test']));
  });

  it('[TOUR-09] keeps the name of an author whose account is deleted', async () => {
    await server.server.database.query('delete from core.user_account where uid = $1', [annUid]);
    expect((await toldTo(ben)).authors).toEqual(['Ann Lee', 'Ann Lee', 'Ann Lee', 'Ann Lee']);
  });
});
