import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { accessFlags, tokenTransportHeader, type AccessFlag, type UserType } from '#core';
import { login as loginEndpoint, type renewToken } from '#core/api';
import type { AccessTables } from '../../server/access/access-tables.ts';
import { hashPassword } from '../../server/auth/password-hash.ts';
import type { TestCalls } from './test-calls.ts';
import type { Database } from '../../server/database/database.ts';

export interface NewPerson {
  /** No flag by default. `all` grants every flag. */
  readonly flags?: readonly AccessFlag[] | 'all';
  /** Uids of existing locations; `ALL` by default. */
  readonly locations?: 'ALL' | readonly string[];
  readonly userType?: UserType;
  readonly username?: string;
  /** Whether a login takes as long as in the product, for tests of races. */
  readonly slowPassword?: boolean;
}

export interface TestPerson {
  readonly uid: string;
  readonly username: string;
  readonly password: string;
  readonly role: string;
}

/** The login of people without a second factor: its reply has tokens. */
export const login = loginEndpoint as unknown as Omit<typeof loginEndpoint, 'reply'> & Pick<typeof renewToken, 'reply'>;

const password = 'a password for tests';
/**
 * Argon2id at its lowest cost, which each hash states. At the product's cost, each of the thousands of test logins took
 * 13 ms of processor time.
 */
const hashOptions = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
let passwordHash: Promise<string> | undefined;

/** Creates an active account with a role that grants the requested access. */
export async function addPerson(database: Pick<Database, 'of'>, person: NewPerson = {}): Promise<TestPerson> {
  const uid = randomUUID();
  const role = randomUUID();
  const username = (person.username ?? `${uid}@example.test`).toLowerCase();
  const locations = person.locations ?? 'ALL';
  const now = new Date();
  const tables = database.of<AccessTables>('core');
  await tables
    .insertInto('user_account')
    .values({
      uid,
      username,
      name: `Person ${username}`,
      user_type: person.userType ?? 'TENANT_USER',
      status: 'ACTIVE',
      password_hash: await (person.slowPassword
        ? hashPassword(password)
        : (passwordHash ??= hash(password, hashOptions))),
      section: null,
      department: null,
      division: null,
      business_unit: null,
      created_at: now,
      invited_at: null,
      activated_at: now,
    })
    .execute();
  const flags = person.flags === 'all' ? [...accessFlags] : [...(person.flags ?? [])];
  await tables
    .insertInto('role')
    .values({
      uid: role,
      name: `Role ${role}`,
      status: 'ACTIVE',
      flags,
      all_locations: locations === 'ALL',
      created_at: now,
    })
    .execute();
  if (locations !== 'ALL' && locations.length > 0)
    await tables
      .insertInto('role_location')
      .values(locations.map((location) => ({ role, location })))
      .execute();
  await tables.insertInto('user_role').values({ account: uid, role }).execute();
  return { uid, username, password, role };
}

/** Logs in and returns the access token. */
export async function signInAs(calls: TestCalls, person: Pick<TestPerson, 'username' | 'password'>): Promise<string> {
  const { status, body } = await calls.call(login, {
    body: { username: person.username, password: person.password },
    headers: { [tokenTransportHeader]: 'json' },
  });
  if (status !== 200) throw new Error(`${person.username} could not sign in: ${status} ${JSON.stringify(body)}`);
  return body.accessToken;
}
