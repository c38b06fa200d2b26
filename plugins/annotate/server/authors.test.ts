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

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const itemFields = { name: 'Leak', tour: 'T1', node: null, view: null, shared: true, version: 0 } as const;
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
      .upsert([buildLocation('site', null, 'PRIMARY_LOCATION'), buildLocation('unit', 'site', 'PLATFORM_UNIT')]);
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
        ...itemFields,
        kind: 'CORDINATES',
        points: [...points],
        result: { value: null, sigma: null, details: {} },
        unit: 'm',
      },
    });
    await server.call(putAnnotation, {
      params,
      token: ann,
      body: {
        ...itemFields,
        kind: 'TEXT_LABEL',
        text: 'Drips',
        temperature: null,
        status: 'OPEN',
        points: [...points],
      },
    });
    await server.call(putComment, {
      params: { ...params, comment: toUid(2) },
      token: ann,
      body: { text: 'Since Monday' },
    });
    await server.call(putSnapshot, { params, token: ann, body: { ...itemFields, text: '', tag: null, marks: [] } });
    await server.database.query('update annotate.snapshot set picture = $1', ['none']);
  });
  afterAll(() => server.close());

  const rename = async (name: string): Promise<void> => void (await server.service(Accounts).update(annUid, { name }));
  /** Loads all items as the person of a token, with their authors. */
  const loadItemsAs = async (
    token: string,
  ): Promise<{ readonly text: string; readonly authors: readonly string[] }> => {
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
        ...all.flatMap((items) => items.map(({ author }) => author)),
        ...annotations.body.rows.flatMap(({ comments }) => comments.map(({ author }) => author)),
      ],
    };
  };

  it('[TOUR-09] shows the names of authors without their email addresses', async () => {
    const { text, authors } = await loadItemsAs(ben);
    expect(authors).toEqual(['Ann Lee', 'Ann Lee', 'Ann Lee', 'Ann Lee']);
    expect(text).not.toContain('ann@example.test');
    expect(text).not.toContain(annUid);
  });

  it('[TOUR-09] shows the current name of an author, or the email address if there is no name', async () => {
    await rename('Ann Lee-Moreau');
    expect((await loadItemsAs(ben)).authors).toEqual([
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
      'Ann Lee-Moreau',
    ]);
    await rename(' ');
    expect(new Set((await loadItemsAs(ben)).authors)).toEqual(new Set(['ann@example.test']));
  });

  it('[TOUR-09] keeps the name of an author whose account is deleted', async () => {
    await server.database.query('delete from core.user_account where uid = $1', [annUid]);
    expect((await loadItemsAs(ben)).authors).toEqual(['Ann Lee', 'Ann Lee', 'Ann Lee', 'Ann Lee']);
  });
});
