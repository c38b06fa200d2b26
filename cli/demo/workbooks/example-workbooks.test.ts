import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as xlsx from 'xlsx';
import { ExampleWorkbooks, Jobs, type ExampleWorkbook } from '#core/server';
import { startTestServer, login, type TestServer } from '#core/testing/server';
import { createErrorWorkbook, createImport, getImport, listImportKinds } from '#plugins/imports/api';
import { loadAllPlugins } from '../../../tests/architecture/all-plugins.ts';
import { demoAccounts } from '../../../core/server/auth/demo-accounts.ts';
import { createDemoPlant } from '../index.ts';
import { exampleSheets } from './index.ts';

describe('example workbooks of the demo plant', () => {
  let server: TestServer;
  let folder: string;
  let token: string;
  let workbooks: readonly ExampleWorkbook[];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'examples-'));
    server = await startTestServer({ database: 'embedded', ...(await loadAllPlugins()) });
    const plant = await createDemoPlant();
    const smallPicture = path.join(folder, 'small.jpg');
    await sharp({ create: { width: 1024, height: 512, channels: 3, background: '#888' } }).toFile(smallPicture);
    const range = path.join(folder, 'range.webp');
    await sharp({ create: { width: 1024, height: 512, channels: 3, background: '#010' } })
      .webp({ lossless: true })
      .toFile(range);
    await server.server.seed({
      ...plant,
      nodes: plant.nodes.map(({ earlier: _earlier, ...node }) => ({
        ...node,
        panorama: { ...node.panorama, path: smallPicture, width: 1024, height: 512 },
        range: { ...node.range, path: range, width: 1024, height: 512 },
        thumbnail: { ...node.thumbnail, path: smallPicture },
      })),
      clouds: [],
      markers: [],
      documents: [],
    } as typeof plant);
    const [{ username, password }] = demoAccounts as [(typeof demoAccounts)[number]];
    token = (await server.call(login, { body: { username, password } })).body.accessToken;
    const out = path.join(folder, 'out');
    workbooks = await server
      .service(ExampleWorkbooks)
      .write({ folder: out, site: 'HB', language: 'en', sheets: exampleSheets });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const upload = async (kind: string, file: string) => {
    const { body: kinds } = await server.call(listImportKinds, { token });
    const scope = kinds.find(({ id }) => id === kind)!.scope;
    const { uid } = (
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind, mode: 'UPSERT', ...(scope === 'SITE' ? { site: 'HB' } : {}) },
      })
    ).body;
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(await readFile(path.join(folder, 'out', file)))]), file);
    const reply = await fetch(`${await server.url()}/api/imports/${uid}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    return (await server.call(getImport, { token, params: { batch: uid } })).body;
  };

  it('exist for every kind, and change nothing if they are imported', async () => {
    const { body: kinds } = await server.call(listImportKinds, { token });
    expect(workbooks.map(({ kind }) => kind).toSorted()).toEqual(kinds.map(({ id }) => id).toSorted());
    await Promise.all(
      workbooks.map(async ({ kind, file, rows }) => {
        expect(rows, kind).toBeGreaterThan(0);
        const { phase, sheets, refusal } = await upload(kind, file);
        expect({ kind, phase, refusal }).toEqual({ kind, phase: 'PREVIEW', refusal: null });
        for (const sheet of sheets) expect(sheet, kind).toMatchObject({ added: 0, changed: 0, withErrors: 0 });
      }),
    );
  });

  it('include one with a faulty row for each check, for which the import reports exactly its message', async () => {
    await Promise.all(
      workbooks.map(async ({ kind, errorFile, findings }) => {
        const { uid, findings: columnFindings } = await upload(kind, errorFile);
        expect(
          columnFindings.every(({ message }) => message === 'imports.refused.columnUnknown'),
          kind,
        ).toBe(true);
        const { address } = (
          await server.call(createErrorWorkbook, { token, params: { batch: uid }, body: { language: 'en' } })
        ).body;
        const reply = await fetch(`${await server.url()}${address}`, { headers: { authorization: `Bearer ${token}` } });
        const workbook = xlsx.read(await reply.arrayBuffer(), { sheets: 'Summary', cellStyles: false });
        const reportedFindings = xlsx.utils
          .sheet_to_json<Record<string, string | number>>(workbook.Sheets['Summary'] ?? {})
          .map(({ Sheet, Row, Column, Message, Severity }) => [Sheet, Row, Column, Message, Severity].join(' | '));
        const expectedFindings = findings.map(({ sheet, row, column, message, severity }) =>
          [sheet, row, column, message, severity].join(' | '),
        );
        expect.soft(reportedFindings.toSorted(), kind).toEqual(expectedFindings.toSorted());
      }),
    );
  });
});
