import type { LocationRow } from '#core';
import { AuditLog, LocationStore } from '#core/server';
import type { TestServer } from '#core/testing/server';
import type { AccessRequestTables } from '../../core/server/access-requests/access-request-tables.ts';
import type { GroupRoleTables } from '../../core/server/group-roles/group-role-tables.ts';
import type { AccessTables } from '../../core/server/access/access-tables.ts';
import type { FileTables } from '../../core/server/files/file-tables.ts';
import { annotateSchema, type AnnotateTables } from '../../plugins/annotate/server/tables.ts';
import type { ImportsTables } from '../../plugins/imports/server/tables.ts';
import type { LocationsTables } from '../../plugins/locations/server/tables.ts';
import { mastersSchema, type MastersTables } from '../../plugins/masters/server/tables.ts';
import type { MediaTables } from '../../plugins/media/server/tables.ts';
import { modelSchema, type ModelTables } from '../../plugins/model-3d/server/tables.ts';
import { buildStoredObject, insertPublishedModels } from '../../plugins/model-3d/testing/server/model-rows.ts';
import { scanSchema, type ScanTables } from '../../plugins/scan/server/tables.ts';
import { buildCloudRow, buildStationRow, insertScanRows } from '../../plugins/scan/testing/server/scan-rows.ts';
import { tourSchema, type TourTables } from '../../plugins/tour/server/tables.ts';
import {
  buildDocumentRow,
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  documentUid,
  insertTourRows,
  nodeUid,
  tagUid,
  tourUid,
} from '../../plugins/tour/testing/server/tour-rows.ts';
import { vrSchema, type VrTables } from '../../plugins/vr/server/tables.ts';

/** The first site has one tour with all nodes. Each other site has one node and one tag, always with `sharedCode`. */
export const mainSite = 'site-0';
export const mainUnit = 'unit-0';
export const sharedCode = 'SAME';
/** This node sees all tags, and it is the first node that sees each tag. */
export const firstNode = nodeUid('N0');
export const firstTag = 'TAG-0';
/** This document describes all tags, and all documents describe the first tag. */
export const firstDocument = 'DOC-0';

/** This import has all staged rows, each with a finding of its own. */
export const firstImport = 'import-0';

/** This role has all sites, and this person all other roles. */
export const listedRole = 'listed-0';
export const listedPerson = 'listed';
export const firstAccessRequest = 'request-0';

const timestamp = '2026-03-01T10:00:00.000Z';

/** Inserts the rows `from` to `to - 1` of each kind, each at its own location. */
export async function insertListRows(server: TestServer, person: string, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const inserts = [
    insertLocations,
    insertTours,
    insertTourDetails,
    insertDocumentDetails,
    insertMarkers,
    insertModels,
    insertScans,
    insertAnnotations,
    insertMasters,
    insertPeople,
    insertMedia,
    insertAuditEntries,
    insertImports,
    insertRoles,
  ];
  for (const insert of inserts) await insert(server, numbers);
  await server.database
    .of<TourTables>(tourSchema)
    .insertInto('visited_node')
    .values(
      Array.from({ length: to }, (_, number) => ({
        person,
        node: nodeUid(`N${number}`),
        visits: 1,
        first_at: new Date(timestamp),
        last_at: new Date(timestamp),
      })),
    )
    .execute();
}

type Insert = (server: TestServer, numbers: readonly number[]) => Promise<void>;

const insertLocations: Insert = async ({ server }, numbers) => {
  const buildLocation = (
    uid: string,
    parent: string | null,
    root: string,
    locationType: LocationRow['locationType'],
  ): LocationRow => ({ uid, name: uid, label: uid, parent, root, locationType });
  await server.registrar.services
    .find(LocationStore, 'tests')
    .upsert([
      ...numbers.map((number) => buildLocation(`site-${number}`, null, `site-${number}`, 'PRIMARY_LOCATION')),
      ...numbers.map((number) => buildLocation(`unit-${number}`, `site-${number}`, `site-${number}`, 'PLATFORM_UNIT')),
      ...numbers.map((number) => buildLocation(`deck-${number}`, mainUnit, mainSite, 'LOC_LEVEL')),
    ]);
  await server.database
    .of<LocationsTables>('locations')
    .insertInto('location_picture')
    .values(
      numbers.map((number) => ({ location: `deck-${number}`, icon: 'none', navigation_image: null, areas: '[]' })),
    )
    .execute();
};

/** The person with the roles is not the one who asks for access, and gets none by them. */
const insertRoles: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<AccessTables & AccessRequestTables & GroupRoleTables>('core');
  const created_at = new Date(timestamp);
  const buildAccount = (uid: string) => ({
    uid,
    username: `${uid}@example.test`,
    name: uid,
    user_type: 'TENANT_USER' as const,
    status: 'ACTIVE' as const,
    password_hash: null,
    section: null,
    department: null,
    division: null,
    business_unit: null,
    created_at,
    invited_at: null,
    activated_at: created_at,
  });
  const roles = numbers.map((number) => `listed-${number}`);
  await tables
    .insertInto('role')
    .values(
      roles.map((uid) => ({
        uid,
        name: uid,
        status: 'ACTIVE',
        flags: ['vrAccess'],
        all_locations: false,
        created_at,
      })),
    )
    .execute();
  await tables
    .insertInto('role_location')
    .values(numbers.map((number) => ({ role: listedRole, location: `site-${number}` })))
    .execute();
  await tables
    .insertInto('user_account')
    .values([listedPerson, ...numbers.map((number) => `asking-${number}`)].map(buildAccount))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tables
    .insertInto('group_role')
    .values(roles.map((role) => ({ uid: role, provider: 'first' as const, value: role, role })))
    .execute();
  await tables
    .insertInto('user_role')
    .values(roles.map((role) => ({ account: listedPerson, role })))
    .execute();
  await tables
    .insertInto('access_request')
    .values(
      numbers.map((number) => ({
        uid: `request-${number}`,
        account: `asking-${number}`,
        feature: 'vrAccess',
        location: '',
        reason: 'Work',
        status: 'OPEN',
        created_at,
        answered_at: null,
        answered_by: null,
        role: null,
        answer: null,
      })),
    )
    .execute();
};

const insertTours: Insert = ({ server }, numbers) =>
  insertTourRows(server.database, {
    tours: numbers.map((number) =>
      buildTourRow(`T${number}`, { site: `site-${number}`, location: `unit-${number}`, start_node: firstNode }),
    ),
    nodes: [
      ...numbers.map((number) =>
        buildNodeRow(sharedCode, {
          uid: `shared-${number}`,
          site: `site-${number}`,
          tour: tourUid(`T${number}`),
          location: `unit-${number}`,
        }),
      ),
      ...numbers.map((number) =>
        buildNodeRow(`N${number}`, {
          site: mainSite,
          tour: tourUid('T0'),
          location: `deck-${number}`,
          position: number,
          x: 10 * number,
          pyramid_file: 'none',
          pyramid: JSON.stringify({ tileSize: 512, levels: [], mesh: false }),
        }),
      ),
    ],
    tags: [
      ...numbers.map((number) => buildTagRow(`TAG-${number}`, { site: mainSite, location: `deck-${number}` })),
      ...numbers.map((number) =>
        buildTagRow(sharedCode, {
          uid: `shared-tag-${number}`,
          site: `site-${number}`,
          location: `unit-${number}`,
          description: 'Valve',
        }),
      ),
    ],
    documents: numbers.map((number) =>
      buildDocumentRow(`DOC-${number}`, { site: mainSite, location: `deck-${number}` }),
    ),
  });

const insertTourDetails: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<TourTables>(tourSchema);
  const view = { pan: 0, tilt: 0, distance: 1, visible: 1 };
  const panoramaColumns = { captured_at: timestamp, heading: 0, panorama_file: 'none' };
  const jobs = numbers.map((number) => `panorama-${number}`);
  await insertJobs(server.database, jobs);
  await tables
    .insertInto('capture')
    .values(
      numbers.map((number) => ({
        uid: `capture-${number}`,
        node: nodeUid(`N${number}`),
        range_file: null,
        pyramid_file: 'none',
        pyramid: JSON.stringify({ tileSize: 512, levels: [], mesh: false }),
        ...panoramaColumns,
      })),
    )
    .execute();
  await tables
    .insertInto('incoming')
    .values(
      numbers.map((number, index) => ({
        uid: `incoming-${number}`,
        node: nodeUid(`N${number}`),
        job: jobs[index]!,
        message: null,
        refusal: null,
        ...panoramaColumns,
      })),
    )
    .execute();
  await tables
    .insertInto('tag_view')
    .values([
      ...numbers.map((number) => ({ tag: tagUid(`TAG-${number}`), node: firstNode, ...view })),
      ...numbers
        .filter((number) => number > 0)
        .map((number) => ({ tag: tagUid(firstTag), node: nodeUid(`N${number}`), ...view })),
      ...numbers
        .filter((number) => number % 2 === 0)
        .map((number) => ({ tag: `shared-tag-${number}`, node: `shared-${number}`, ...view })),
    ])
    .execute();
};

const insertDocumentDetails: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<TourTables>(tourSchema);
  const files = numbers.map((number) => `sheet-${number}`);
  await insertFiles(server.database, files);
  await tables
    .insertInto('document_revision')
    .values(
      numbers.map((number, index) => ({
        document: documentUid(`DOC-${number}`),
        revision: 'A',
        status: 'A1',
        issued_on: '2026-03-01',
        file: files[index]!,
      })),
    )
    .execute();
  await tables
    .insertInto('document_link')
    .values([
      ...numbers.map((number) => ({ document: documentUid(firstDocument), tag: tagUid(`TAG-${number}`) })),
      ...numbers
        .filter((number) => number > 0)
        .map((number) => ({ document: documentUid(`DOC-${number}`), tag: tagUid(firstTag) })),
    ])
    .execute();
};

const insertMarkers: Insert = async ({ server }, numbers) => {
  const files = numbers.map((number) => `document-${number}`);
  await insertFiles(server.database, files);
  await server.database
    .of<VrTables>(vrSchema)
    .insertInto('marker')
    .values(
      numbers.map((number, index) => ({
        uid: `marker-${number}`,
        location: `deck-${number}`,
        tour: tourUid('T0'),
        shape: 'POINT' as const,
        name: `Marker ${number}`,
        text: '',
        points: '[[0,0,0]]',
        ...(number % 2 === 0
          ? { kind: 'TAG' as const, target: tagUid(`TAG-${number}`), file: null }
          : { kind: 'DOCUMENT' as const, target: null, file: files[index]! }),
        seen_from: '[]',
        author: `author-${number}`,
        author_name: 'Author',
        version: 1,
        updated_at: new Date(timestamp),
      })),
    )
    .execute();
};

/** Inserts models, each with an import, a mapped object and an object named after a tag. */
const insertModels: Insert = async ({ server: { database } }, numbers) => {
  const jobs = numbers.map((number) => `model-${number}`);
  await insertJobs(database, jobs);
  for (const [index, number] of numbers.entries())
    await insertPublishedModels(
      database,
      [`model-${number}`],
      [buildStoredObject('mapped'), buildStoredObject(`TAG-${number}`)],
      { location: `deck-${number}`, state: 'IMPORTING', job: jobs[index]! },
    );
  await database
    .of<ModelTables>(modelSchema)
    .insertInto('mapping')
    .values(
      numbers.map((number) => ({
        model: `model-${number}`,
        object: 'mapped',
        kind: 'TAG' as const,
        target: tagUid(`TAG-${number}`),
      })),
    )
    .execute();
};

const insertScans: Insert = async ({ server }, numbers) => {
  const files = numbers.map((number) => `points-${number}`);
  const jobs = numbers.map((number) => `cloud-job-${number}`);
  await insertFiles(server.database, files);
  await insertJobs(server.database, jobs);
  await server.database
    .of<ScanTables>(scanSchema)
    .insertInto('token')
    .values(
      numbers.map((number) => ({
        location: number === 0 ? mainSite : `deck-${number}`,
        expires_at: '2099-01-01T00:00:00.000Z',
        set_by: 'admin',
      })),
    )
    .execute();
  await insertScanRows(server.database, {
    stations: numbers.map((number) => buildStationRow(`${number}`, { location: `deck-${number}`, x: 10 * number })),
    clouds: numbers.map((number, index) =>
      buildCloudRow(`${number}`, {
        location: `deck-${number}`,
        source_files: JSON.stringify([files[index]]),
        job: jobs[index]!,
      }),
    ),
  });
};

const insertAnnotations: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<AnnotateTables>(annotateSchema);
  const rows = numbers.map((number) => ({
    uid: buildUuid(number),
    location: `deck-${number}`,
    tour: tourUid('T0'),
    node: null,
    name: `Row ${number}`,
    view: null,
    shared: true,
    author: `author-${number}`,
    author_name: 'Author',
    created_at: new Date(timestamp),
    updated_at: new Date(timestamp),
    version: 1,
  }));
  await tables
    .insertInto('measurement')
    .values(
      rows.map((row) => ({
        ...row,
        kind: 'DISTANCE',
        points: '[]',
        result: JSON.stringify({ value: 1, sigma: null, details: {} }),
        unit: 'm',
      })),
    )
    .execute();
  await tables
    .insertInto('annotation')
    .values(
      rows.map((row) => ({ ...row, kind: 'TEXT_LABEL', text: '', temperature: null, status: 'OPEN', points: '[]' })),
    )
    .execute();
  await tables
    .insertInto('annotation_comment')
    .values(
      rows.map(({ uid, author, author_name, created_at }) => ({
        uid,
        annotation: uid,
        text: 'Comment',
        author,
        author_name,
        created_at,
      })),
    )
    .execute();
  await tables
    .insertInto('snapshot')
    .values(rows.map((row) => ({ ...row, tag: null, text: '', marks: '[]', picture: `picture-${row.uid}` })))
    .execute();
};

const buildUuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const insertMedia: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<MediaTables>('media');
  await tables
    .insertInto('item')
    .values(
      numbers.map((number) => ({
        uid: buildUuid(number),
        title: `Video ${number}`,
        french_title: null,
        file: `file-${number}`,
        video: true,
        captions: null,
      })),
    )
    .execute();
  await tables
    .insertInto('contact')
    .values(
      numbers.map((number) => ({
        name: `Contact ${number}`,
        job_title: null,
        category: 'SITE' as const,
        email: 'contact@example.test',
        phone: null,
        location: `site-${number}`,
      })),
    )
    .execute();
  await tables
    .insertInto('notice')
    .values(
      numbers.map((number) => ({
        uid: buildUuid(number),
        text: `Notice ${number}`,
        french_text: null,
        severity: 'INFO' as const,
        area: 'TOP' as const,
        location: null,
        starts_at: new Date(),
        ends_at: null,
      })),
    )
    .execute();
};

const insertMasters: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<Pick<MastersTables, 'master'>>(mastersSchema);
  await tables
    .insertInto('master')
    .values(
      (['TYPE_OF_WORK', 'SECTION'] as const).flatMap((type, group) =>
        numbers.map((number) => ({
          uid: buildUuid(number + group * 100_000),
          type,
          name: `Work ${number}`,
          french_name: null,
          active: true,
          position: number,
          parent: null,
        })),
      ),
    )
    .execute();
};

/** Inserts people, each with a section and a role. */
const insertPeople: Insert = async ({ server }, numbers) => {
  const tables = server.database.of<AccessTables>('core');
  await tables
    .insertInto('user_account')
    .values(
      numbers.map((number) => ({
        uid: `person-${number}`,
        username: `listed-${number}@example.test`,
        name: `Listed ${number}`,
        user_type: 'TENANT_USER' as const,
        status: 'ACTIVE' as const,
        password_hash: null,
        section: buildUuid(number + 100_000),
        department: null,
        division: null,
        business_unit: null,
        created_at: new Date(timestamp),
        invited_at: null,
        activated_at: new Date(timestamp),
      })),
    )
    .execute();
  const role = await tables.selectFrom('role').select('uid').executeTakeFirstOrThrow();
  await tables
    .insertInto('user_role')
    .values(numbers.map((number) => ({ account: `person-${number}`, role: role.uid })))
    .execute();
};

async function insertImports({ server: { database } }: TestServer, numbers: readonly number[]): Promise<void> {
  const tables = database.of<ImportsTables>('imports');
  await tables
    .insertInto('batch')
    .values(
      numbers.map((number) => ({
        uid: `import-${number}`,
        kind: 'masters.masters',
        site: null,
        locations: [],
        mode: 'UPSERT' as const,
        phase: 'PREVIEW' as const,
        result: null,
        job: null,
        author: 'nobody',
        author_name: 'Nobody',
        created_at: new Date(timestamp),
        finished_at: null,
        change: null,
      })),
    )
    .execute();
  const rows = await tables
    .insertInto('staged_row')
    .values(
      numbers.map((number) => ({
        batch: firstImport,
        sheet: 'masters',
        number,
        cells: '[]',
        values: JSON.stringify({ name: `Name ${number};` }),
        key: null,
      })),
    )
    .returning('id')
    .execute();
  await tables
    .insertInto('finding')
    .values(
      rows.map(({ id }) => ({
        batch: firstImport,
        row: id,
        sheet: 'masters',
        column_id: 'name',
        message: 'core.validation.specialChars',
        severity: 'ERROR' as const,
        checked: false,
      })),
    )
    .execute();
}

async function insertFiles(database: TestServer['server']['database'], ids: readonly string[]): Promise<void> {
  await database
    .of<FileTables>('core')
    .insertInto('file')
    .values(
      ids.map((id) => ({
        id,
        name: id,
        media_type: 'application/pdf',
        audience: 'signedIn' as const,
        location: null,
        guard: null,
        folder: false,
        state: 'stored' as const,
      })),
    )
    .execute();
}

/** Inserts jobs that have ended, so that no runner executes them. */
async function insertJobs(database: TestServer['server']['database'], ids: readonly string[]): Promise<void> {
  await database.query(
    `insert into core.job (id, kind, payload, state, result, finished_at)
      select id, 'tests.ended', 'null', 'completed', 'SUCCESS', now() from unnest($1::text[]) as id`,
    [ids],
  );
}

async function insertAuditEntries(server: TestServer, numbers: readonly number[]): Promise<void> {
  const audit = server.service(AuditLog);
  const database = server.database.of('core');
  for (const number of numbers)
    await audit.record(
      { actor: null, action: 'test.listed', subject: `S${number}`, location: `unit-${number}` },
      database,
    );
}
