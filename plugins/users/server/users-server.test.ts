import { randomUUID } from 'node:crypto';
import * as xlsx from 'xlsx';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getMe, listAuditEntries, listPeople, undoChange, type Person } from '#core/api';
import { enabledPlugin, Jobs, Roles } from '#core/server';
import {
  describeAccess,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestPerson,
  type TestServer,
} from '#core/testing/server';
import { importsManifest, imports } from '#plugins/imports/testing/server';
import { masters, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { readMails } from '../../../core/testing/auth-server.ts';
import {
  createErrorWorkbook,
  createImport,
  createWorkbook,
  getImport,
  listImportRows,
  pushImport,
  undoImport,
} from '#plugins/imports/api';
import { exportUsers } from '../contract/api.ts';
import manifest from '../plugin.ts';
import users from './index.ts';

const plugins = [
  enabledPlugin(importsManifest, { endSessions: false }, imports),
  enabledPlugin(mastersManifest, {}, masters),
  enabledPlugin(manifest, {}, users),
];
describeAccess('access to users', plugins);

type Row = Readonly<Record<string, string | boolean | readonly string[] | null>>;
const buildRow = (email: string, changes: Row = {}): Row => ({
  email,
  name: `Name of ${email.split('@')[0]}`,
  accountType: 'TENANT_USER',
  status: 'Active',
  ...changes,
});

describeOnDatabases('users', (kind) => {
  let server: TestServer;
  let admin: TestPerson;
  let token: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins });
    const row = { french_name: null, active: true, position: 0, parent: null };
    await server.database
      .of<MastersTables>('masters')
      .insertInto('master')
      .values([
        { uid: 'ops', type: 'SECTION', name: 'Operations', ...row, french_name: 'Exploitation' },
        { uid: 'old', type: 'SECTION', name: 'Abandoned', ...row, active: false },
      ])
      .execute();
    const roles = server.service(Roles);
    await roles.create({ name: 'Staff', flags: ['vrAccess'], allLocations: false });
    await roles.setStatus((await roles.create({ name: 'Former', flags: [], allLocations: false })).uid, 'INACTIVE');
    admin = await server.addPerson({ userType: 'TENANT_ADMIN', flags: 'all', username: 'admin@example.test' });
    token = await server.signIn(admin);
  });
  afterAll(() => server.close());

  const push = async (rows: readonly Row[], { dryRun = false, by = token } = {}) => {
    const body = {
      uid: randomUUID(),
      kind: 'users.users',
      mode: 'UPSERT' as const,
      dryRun,
      sheets: { users: rows as never },
    };
    return (await server.call(pushImport, { token: by, body })).body;
  };
  const findPerson = async (email: string): Promise<Person | undefined> =>
    (await server.call(listPeople, { query: { text: email }, token })).body.rows[0];
  const countMails = async (email: string) => (await readMails(server)).filter(({ to }) => to === email).length;
  const download = async (url: string): Promise<ArrayBuffer> =>
    (await fetch(`${await server.url()}${url}`, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer();

  it('[DAT-05] [DAT-09] [IMP-01:users] invites new people after the commit, updates existing ones, and undoes both', async () => {
    const ben = await server.addPerson({ username: 'ben@example.test', flags: [] });
    const benToken = await server.signIn(ben);
    const rows = [
      buildRow('Anna@Example.test', { section: 'operations', roles: ['staff'] }),
      buildRow('off@example.test', { status: 'Inactive' }),
      buildRow('ben@example.test', { name: 'Ben Carr', status: 'Inactive' }),
    ];
    expect((await push(rows, { dryRun: true })).import.sheets[0]).toMatchObject({ added: 2, changed: 1 });
    expect([await findPerson('anna@example.test'), await countMails('anna@example.test')]).toEqual([undefined, 0]);
    const { import: batch } = await push(rows);
    expect(batch).toMatchObject({ phase: 'DONE', result: 'SUCCESS' });
    expect(await findPerson('anna@example.test')).toMatchObject({
      status: 'INVITED',
      section: { name: 'Operations' },
      roles: [{ name: 'Staff' }],
    });
    expect([await countMails('anna@example.test'), await countMails('off@example.test')]).toEqual([1, 0]);
    await push([buildRow('late@example.test', { status: 'Inactive' })]);
    await push([buildRow('late@example.test')]);
    expect(await findPerson('late@example.test')).toMatchObject({ status: 'INVITED' });
    expect(await countMails('late@example.test')).toBe(1);
    // The rows have no roles column, so the roles are unchanged.
    expect(await findPerson('ben@example.test')).toMatchObject({
      name: 'Ben Carr',
      status: 'INACTIVE',
      roles: [{ uid: ben.role }],
    });
    expect(await server.call(getMe, { token: benToken })).toMatchObject({ status: 401, refusal: { code: 'E006' } });
    const undone = await server.call(undoImport, { params: { batch: batch.uid }, body: { dryRun: false }, token });
    expect(undone.body).toMatchObject({ kept: 0, blocked: 0 });
    expect(await findPerson('anna@example.test')).toBeUndefined();
    expect(await findPerson('ben@example.test')).toMatchObject({ status: 'ACTIVE' });
  });

  const addPersonWithGroupRole = async (username: string): Promise<TestPerson> => {
    const person = await server.addPerson({ username, flags: ['vrAccess'] });
    await server.database.query(`update core.user_role set from_group = true where account = '${person.uid}'`);
    return person;
  };

  it('leaves roles from groups unchanged, and makes them manual if the file lists them', async () => {
    const carla = await addPersonWithGroupRole('carla@example.test');
    const listRoles = async () =>
      (await findPerson('carla@example.test'))?.roles.map(({ uid, fromGroup }) => [uid, fromGroup]);
    await push([buildRow('carla@example.test', { name: 'Carla', roles: [] })]);
    expect(await listRoles()).toEqual([[carla.role, true]]);
    const [groupRole] = (await findPerson('carla@example.test'))?.roles ?? [];
    await push([buildRow('carla@example.test', { name: 'Carla', roles: [groupRole?.name ?? ''] })]);
    expect(await listRoles()).toEqual([[carla.role, false]]);
  });

  it('refuses to change a person with more access than the caller, even if that access comes from a group', async () => {
    await addPersonWithGroupRole('cora@example.test');
    const limitedUserToken = await server.signIn({ flags: ['userManagement', 'import'], locations: [] });
    const { findings } = await push([buildRow('cora@example.test', { name: 'Other' })], {
      dryRun: true,
      by: limitedUserToken,
    });
    expect(findings).toMatchObject([{ column: 'roles', message: 'core.refused.grantMore' }]);
  });

  it('[IMP-08:user-errors] reports each violated rule with its row and column', async () => {
    const limitedUserToken = await server.signIn({ flags: ['userManagement', 'import'], locations: [] });
    const describeFindings = async (rows: readonly Row[], callerToken?: string) =>
      (await push(rows, { dryRun: true, ...(callerToken === undefined ? {} : { by: callerToken }) })).findings.map(
        ({ row, column, message }) => `${row} ${column} ${message}`,
      );
    const ownRow = buildRow('admin@example.test', { accountType: 'TENANT_ADMIN' });
    expect(await describeFindings([{ ...ownRow, status: 'Inactive' }])).toEqual(['2 status core.refused.ownAccount']);
    expect(await describeFindings([{ ...ownRow, accountType: 'TENANT_USER' }])).toEqual([
      '2 accountType core.refused.lastAdmin',
    ]);
    expect(await describeFindings([buildRow('x@example.test'), { ...ownRow, roles: ['Staff'] }])).toEqual([
      '3 roles core.refused.lastAdmin',
    ]);
    expect(await describeFindings([{ ...ownRow, isAdmin: false }])).toEqual(['2 isAdmin core.refused.adminFlag']);
    expect(
      await describeFindings([
        buildRow('not an address'),
        buildRow('x@example.test', { roles: ['Former'], section: 'Abandoned' }),
        buildRow('y@example.test', { roles: ['Nobody'], section: 'Nowhere' }),
      ]),
    ).toEqual(
      expect.arrayContaining([
        '2 email core.validation.email',
        '3 roles imports.refused.referenceInactive',
        '3 section imports.refused.referenceInactive',
        '4 roles imports.refused.reference',
        '4 section imports.refused.reference',
      ]),
    );
    expect(
      (
        await describeFindings(
          [
            buildRow('x@example.test', { roles: ['Staff'] }),
            buildRow('y@example.test', { accountType: 'TENANT_ADMIN' }),
            buildRow('admin@example.test', { name: 'Mine', accountType: 'TENANT_ADMIN' }),
            buildRow('z@example.test'),
          ],
          limitedUserToken,
        )
      ).toSorted(),
    ).toEqual([
      '2 roles core.refused.grantMore',
      '3 accountType core.refused.grantAdmin',
      '4 accountType core.refused.grantAdmin',
      '4 roles core.refused.grantMore',
    ]);
    const limitedAdminToken = await server.signIn({
      flags: ['userManagement', 'import'],
      userType: 'TENANT_ADMIN',
      locations: [],
    });
    expect(
      await describeFindings(
        [buildRow('x@example.test', { roles: ['Staff'] }), { ...ownRow, name: 'Mine' }],
        limitedAdminToken,
      ),
    ).toEqual(['2 roles core.refused.grantMore']);
  });

  it('[IMP-07] [IMP-08:user-errors] returns the workbook of a user import with its errors in a column', async () => {
    const { uid: batch } = (
      await server.call(createImport, {
        body: { uid: randomUUID(), kind: 'users.users', mode: 'UPSERT' },
        token,
      })
    ).body;
    const book = xlsx.utils.book_new();
    const rows = [buildRow('good@example.test'), buildRow('not an address')].map(({ email, name, ...rest }) => ({
      'E-mail': email,
      Name: name,
      'Account type': rest.accountType,
      Status: rest.status,
    }));
    xlsx.utils.book_append_sheet(book, xlsx.utils.json_to_sheet(rows), 'Users');
    const form = new FormData();
    form.append('files', new Blob([xlsx.write(book, { bookType: 'xlsx', type: 'array' }) as ArrayBuffer]), 'mine.xlsx');
    const reply = await fetch(`${await server.url()}/api/imports/${batch}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    const { body: read } = await server.call(getImport, { params: { batch }, token });
    expect(read).toMatchObject({ phase: 'PREVIEW', sheets: [{ rows: 2, withErrors: 1 }] });
    const { body: file } = await server.call(createErrorWorkbook, {
      params: { batch },
      body: { language: 'en' },
      token,
    });
    expect(file.name).toBe('USER_IMPORT_ERROR_FILE.xlsx');
    const errorRows = xlsx.utils.sheet_to_json<Row>(xlsx.read(await download(file.address)).Sheets.Users ?? {});
    expect(errorRows.map((row) => [row['E-mail'], row['Errors']])).toEqual([
      ['good@example.test', undefined],
      ['not an address', '[E-mail] Enter a valid email address'],
    ]);
  });

  it('reports an unknown account type or status alone, without problems that only follow from it', async () => {
    const ownRow = buildRow('admin@example.test', { accountType: 'Guest', isAdmin: true });
    const describeFindings = async (rows: readonly Row[]) =>
      (await push(rows, { dryRun: true })).findings.map(({ row, column, message }) => `${row} ${column} ${message}`);
    expect(await describeFindings([ownRow])).toEqual(['2 accountType imports.refused.enum']);
    expect(
      await describeFindings([{ ...ownRow, accountType: 'TENANT_ADMIN', status: 'Asleep', roles: ['Staff'] }]),
    ).toEqual(['2 status imports.refused.enum']);
  });

  it('reads account types as words in both languages and as codes', async () => {
    const words = ['TENANT_USER', 'tenant_admin', 'User', 'admin', 'utilisateur', 'Administrateur'];
    const { import: batch, findings } = await push(
      [...words, 'Guest'].map((accountType, index) => buildRow(`word${index}@example.test`, { accountType })),
      { dryRun: true },
    );
    expect(findings.map(({ row, column, message }) => `${row} ${column} ${message}`)).toEqual([
      '8 accountType imports.refused.enum',
    ]);
    const { body } = await server.call(listImportRows, { params: { batch: batch.uid }, query: {}, token });
    expect(body.rows.slice(0, words.length).map(({ values }) => values.accountType)).toEqual(
      words.map((word) => (/user|utilisateur/i.test(word) ? 'TENANT_USER' : 'TENANT_ADMIN')),
    );
  });

  it('[IMP-08:user-import] exports a workbook that imports without changes, and offers an error workbook', async () => {
    await push([buildRow('carl@example.test', { section: 'Operations', roles: ['Staff'] })]);
    const { body: file } = await server.call(createWorkbook, {
      params: { kind: 'users.users' },
      body: { language: 'fr', rows: true },
      token,
    });
    expect(file.name).toBe('USER_IMPORT_FILE.xlsx');
    const content = await download(file.address);
    const rows = xlsx.utils.sheet_to_json<Row>(xlsx.read(content).Sheets.Users ?? {});
    expect(new Set(rows.map((row) => row['Type de compte*']))).toEqual(new Set(['Utilisateur', 'Administrateur']));
    const body = { uid: randomUUID(), kind: 'users.users', mode: 'UPSERT' as const };
    const { uid: batch } = (await server.call(createImport, { body, token })).body;
    const form = new FormData();
    form.append('files', new Blob([content]), 'mine.xlsx');
    const reply = await fetch(`${await server.url()}/api/imports/${batch}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    const { body: read } = await server.call(getImport, { params: { batch }, token });
    expect(read).toMatchObject({ phase: 'PREVIEW', findings: [] });
    expect(read.sheets[0]).toMatchObject({ changed: 0, added: 0, unchanged: read.sheets[0]?.rows });
    const { body: errors } = await server.call(createErrorWorkbook, {
      params: { batch },
      body: { language: 'en' },
      token,
    });
    expect(errors.name).toBe('USER_IMPORT_ERROR_FILE.xlsx');
  });

  it('[IMP-08:user-list] exports the filtered list as a dated workbook', async () => {
    const body = { language: 'fr' as const, day: '2026-11-26', text: 'carl@', sort: 'username' as const };
    const { body: file } = await server.call(exportUsers, { body, token });
    expect(file.name).toBe('USER_LIST_20261126.xlsx');
    const sheet = xlsx.read(await download(file.address)).Sheets.Users ?? {};
    const rows = xlsx.utils.sheet_to_json<readonly string[]>(sheet, { header: 1 });
    expect(rows.map((row) => row.slice(0, 10))).toEqual([
      [
        'Nom',
        'E-mail',
        'Statut',
        'Type de compte',
        'Type d’utilisateur',
        'Section',
        'Département',
        'Division',
        'Unité d’affaires',
        'Rôles',
      ],
      expect.arrayContaining([
        'Name of carl',
        'carl@example.test',
        'Invité',
        'Utilisateur',
        'Exploitation',
        'Staff',
      ]) as string[],
    ]);
  });

  it('needs the same number of statements for 300 people as for 3', async () => {
    const count = async (size: number, prefix: string) => {
      const rows = Array.from({ length: size }, (_, index) =>
        buildRow(`${prefix}${index}@many.test`, { roles: ['Staff'] }),
      );
      const { import: batch } = await push(rows, { dryRun: true });
      const { statements } = await new QueryCounter(server.database).record(() => push(rows, { dryRun: true }));
      return {
        added: batch.sheets[0]?.added,
        statements: statements.filter((statement) => /imports\./.test(statement)).length,
      };
    };
    const few = await count(3, 'few');
    expect(few.added).toBe(3);
    expect(await count(300, 'many')).toEqual({ added: 300, statements: few.statements });
  });

  it('does not let a person without userManagement undo an import, not even from the audit log', async () => {
    const { import: batch } = await push([buildRow('dora@example.test')]);
    const importerToken = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['import', 'configure'] });
    expect(
      (await server.call(undoImport, { params: { batch: batch.uid }, body: { dryRun: false }, token: importerToken }))
        .status,
    ).toBe(403);
    const change = batch.change ?? '';
    const auditReply = await server.call(listAuditEntries, {
      query: { area: 'PEOPLE', text: 'users.usersImported' },
      token,
    });
    expect(auditReply.body.rows[0]?.change).toMatchObject({ uid: change, access: 'userManagement' });
    const contents = await server.call(listAuditEntries, { query: { area: 'CONTENT', text: 'users.' }, token });
    expect(contents.body.total).toBe(0);
    expect((await server.call(undoChange, { params: { change }, body: {}, token: importerToken })).status).toBe(403);
  });
});
