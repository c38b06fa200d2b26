import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import { defaultSiteRecord, validationMessages, type SiteRecord } from '#core';
import { coreRefusal, type LocationUse, type NewLocation } from '#core/api';
import type { LocationContents } from '../access/location-contents.ts';
import type { LocationStore } from '../access/location-store.ts';
import { assertSiteRecord } from '../access/site-record.ts';
import { fromSiteRecord, toSiteRecord } from '../access/site-tables.ts';
import type { ChangeAuthor, ContentChanges, RecordedTransaction } from '../changes/content-changes.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { versionConflict, conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import { isAllowedParent, loadTree, toLocationReply, type StoredLocation, type StoredTree } from './location-tree.ts';
import { findPosition, spreadSiblings } from './sibling-positions.ts';
import type { LocationTables } from './location-writer.ts';

interface LocationChangesOptions {
  readonly database: Database;
  readonly locations: LocationStore;
  readonly contents: LocationContents;
  readonly changes: ContentChanges<LocationTables>;
  readonly clock: Clock;
  /** IANA time zone of the deployment, for sites without a record. */
  readonly timeZone: string;
}

type Write = (recordedTransaction: RecordedTransaction<LocationTables>, tree: StoredTree) => Promise<void>;

/**
 * Creates, changes, moves and deletes locations. Each change can be undone and is audited. These methods resolve to the
 * uid of the change, or to null if nothing changed.
 */
export class LocationChanges {
  readonly #options: LocationChangesOptions;

  constructor(options: LocationChangesOptions) {
    this.#options = options;
  }

  /**
   * If a request is repeated after a lost reply, resolves to the change of the first request, unless the location was
   * changed since.
   */
  async create(input: NewLocation, author: ChangeAuthor): Promise<string> {
    const { uid, locationType, parent } = input;
    const values = { name: input.name.trim(), label: input.label.trim() };
    const site = locationType === 'PRIMARY_LOCATION' ? (input.site ?? defaultSiteRecord(this.#options.timeZone)) : null;
    if (site) assertSiteRecord(site);
    else if (input.site)
      throw invalidRequest(coreRefusal('core.refused.locationNoSite'), [
        { pointer: '/site', message: validationMessages.unknownField },
      ]);
    const row = { uid, ...values, location_type: locationType, parent };
    let isTaken = false;
    try {
      const change = await this.#apply(
        author,
        'location.created',
        { uid, name: values.name },
        async (recordedTransaction, tree) => {
          isTaken = tree.hasCode(uid);
          if (isTaken)
            throw conflict(coreRefusal('core.refused.locationCode', { uid }), [
              { pointer: '/uid', message: validationMessages.duplicate, values: { value: uid } },
            ]);
          const parentLocation = findParent(tree, parent);
          if (!isAllowedParent(locationType, parentLocation))
            throw invalidRequest(coreRefusal('core.refused.locationParent'));
          await recordedTransaction.lockAndRecord('location', 'uid', [uid]);
          await recordedTransaction.tables
            .insertInto('location')
            .values({ ...row, root: parentLocation?.root ?? uid, position: tree.lastPosition + 1 })
            .execute();
          if (site) await this.#writeSite(recordedTransaction, uid, site);
        },
      );
      return change ?? uid;
    } catch (error) {
      const earlierChange = isTaken ? await this.#findCreation(row, site, author) : undefined;
      if (earlierChange === undefined) throw error;
      return earlierChange;
    }
  }

  async change(
    uid: string,
    { version, ...values }: Pick<StoredLocation, 'name' | 'label' | 'locationType' | 'version'>,
    author: ChangeAuthor,
  ): Promise<string | null> {
    const [name, label] = [values.name.trim(), values.label.trim()];
    return this.#apply(author, 'location.changed', { uid, name }, async (recordedTransaction, tree) => {
      const location = findAtVersion(tree, uid, version);
      const { locationType } = values;
      if (locationType !== location.locationType) assertValidPlacement(tree, { ...location, name, locationType });
      await recordedTransaction.lockAndRecord('location', 'uid', [uid]);
      await recordedTransaction.tables
        .updateTable('location')
        .set({ name, label, location_type: locationType })
        .where('uid', '=', uid)
        .execute();
    });
  }

  /** Moves a location before a sibling, or after all siblings if `before` is null. */
  async move(
    uid: string,
    { parent, before, version }: Pick<StoredLocation, 'parent' | 'version'> & { readonly before: string | null },
    author: ChangeAuthor,
  ): Promise<string | null> {
    return this.#apply(author, 'location.moved', await this.#describe(uid), async ({ lockAndRecord, tables }, tree) => {
      const location = findAtVersion(tree, uid, version);
      const parentLocation = findParent(tree, parent);
      if ((parentLocation?.root ?? uid) !== location.root)
        throw invalidRequest(coreRefusal('core.refused.locationOtherSite'));
      assertValidPlacement(tree, { ...location, parent });
      const siblings = tree.children(parent).filter((row) => row.uid !== uid);
      const index = before === null ? siblings.length : siblings.findIndex((row) => row.uid === before);
      if (index === -1) throw conflict(coreRefusal('core.refused.locationNeighbour'));
      if (parent === location.parent && tree.children(parent)[index] === location) return;
      const position = findPosition(siblings, index) ?? (await spreadSiblings(tables, tree, siblings, index));
      await lockAndRecord('location', 'uid', [uid]);
      await tables.updateTable('location').set({ parent, position }).where('uid', '=', uid).execute();
    });
  }

  async delete(uid: string, author: ChangeAuthor): Promise<string> {
    const subject = await this.#describe(uid);
    const change = await this.#apply(author, 'location.deleted', subject, async ({ lockAndRecord, tables }, tree) => {
      const location = tree.find(uid);
      if (!location) throw notFound('This location');
      const uids = tree.subtree(location).map((row) => row.uid);
      if ((await this.#options.contents.count(uids, tables)).length > 0)
        throw conflict(coreRefusal('core.refused.locationInUse', { name: location.name }));
      await lockAndRecord('location', 'uid', uids);
      await lockAndRecord('site', 'location', uids);
      await lockAndRecord('role_location', 'location', uids);
      await tables
        .deleteFrom('location')
        .where('uid', '=', sql<string>`any(${uids}::text[])`)
        .execute();
    });
    return change ?? uid;
  }

  /**
   * @param base the record that the author edited; without it, the current record is replaced unseen
   * @throws `invalidRequest` (400) on an invalid record; `notFound` (404) if the location is no site; `versionConflict`
   *   (409) if the current record is not `base`
   */
  async saveSite(site: string, record: SiteRecord, author: ChangeAuthor, base?: SiteRecord): Promise<string | null> {
    assertSiteRecord(record);
    return this.#apply(author, 'site.saved', await this.#describe(site), async (recordedTransaction, tree) => {
      const location = tree.find(site);
      if (location?.locationType !== 'PRIMARY_LOCATION' || location.parent !== null) throw notFound('This site');
      const storedRecord = await this.#loadSite(recordedTransaction.tables, site);
      const currentRecord = storedRecord ?? defaultSiteRecord(this.#options.timeZone);
      if (base && !isDeepStrictEqual(base, currentRecord))
        throw versionConflict(coreRefusal('core.refused.locationChanged', { name: location.name }), {
          ...toLocationReply(location),
          site: currentRecord,
        });
      await this.#writeSite(recordedTransaction, site, record);
    });
  }

  async findUse(uid: string): Promise<LocationUse> {
    const { database, locations, contents } = this.#options;
    const subtree = await locations.descendants(uid);
    const { rows: roles } = await sql<{ name: string }>`
      select distinct role.name from core.role_location join core.role on role.uid = role_location.role
      where role_location.location = any(${subtree}::text[]) order by role.name`.execute(database.of('core'));
    return {
      descendants: subtree.length - 1,
      roles: roles.map(({ name }) => name),
      contents: [...(await contents.count(subtree))],
    };
  }

  async #describe(uid: string): Promise<Pick<StoredLocation, 'uid' | 'name'>> {
    return { uid, name: (await this.#options.locations.find(uid))?.name ?? uid };
  }

  async #apply(
    author: ChangeAuthor,
    action: string,
    { uid, name }: Pick<StoredLocation, 'uid' | 'name'>,
    write: Write,
  ): Promise<string | null> {
    const description = { action, subject: uid, name, location: uid };
    const { change } = await this.#options.changes.apply(author, description, async (recordedTransaction) =>
      write(recordedTransaction, await loadTree(recordedTransaction.tables)),
    );
    return change;
  }

  async #writeSite(
    { tables, lockAndRecord }: RecordedTransaction<LocationTables>,
    location: string,
    site: SiteRecord,
  ): Promise<void> {
    const columns = { ...fromSiteRecord(site), updated_at: new Date(this.#options.clock.now()) };
    await lockAndRecord('site', 'location', [location]);
    await tables
      .insertInto('site')
      .values({ location, ...columns })
      .onConflict((builder) => builder.column('location').doUpdateSet(columns))
      .execute();
  }

  async #loadSite(
    tables: Pick<Transaction<LocationTables>, 'selectFrom'>,
    location: string,
  ): Promise<SiteRecord | undefined> {
    const row = await tables.selectFrom('site').selectAll().where('location', '=', location).executeTakeFirst();
    return row && toSiteRecord(row);
  }

  /** Finds the change by which the author created a location that nobody has changed since. */
  async #findCreation(
    row: { readonly uid: string; readonly name: string; readonly label: string; readonly parent: string | null },
    site: SiteRecord | null,
    { caller }: ChangeAuthor,
  ): Promise<string | undefined> {
    const { changes, database } = this.#options;
    const creation = await changes.findCreation('location', [row]);
    if (creation?.author !== caller.uid) return undefined;
    const tables = database.of<LocationTables>('core');
    const { rows } = await sql`
      select from core.location as present join core.change on change.uid = ${creation.change}
      where change.action = 'location.created' and present.uid = ${row.uid} and present.version = 1
        and present.name = ${row.name} and present.label = ${row.label}
        and present.parent is not distinct from ${row.parent}::text`.execute(tables);
    const isSame = rows.length > 0 && isDeepStrictEqual((await this.#loadSite(tables, row.uid)) ?? null, site);
    return isSame ? creation.change : undefined;
  }
}

function findAtVersion(tree: StoredTree, uid: string, version: number): StoredLocation {
  const location = tree.find(uid);
  if (!location) throw notFound('This location');
  if (location.version !== version)
    throw versionConflict(
      coreRefusal('core.refused.locationChanged', { name: location.name }),
      toLocationReply(location),
    );
  return location;
}

function findParent(tree: StoredTree, uid: string | null): StoredLocation | undefined {
  const parent = uid === null ? undefined : tree.find(uid);
  if (uid !== null && !parent) throw conflict(coreRefusal('core.refused.locationParentGone'));
  return parent;
}

/**
 * Refuses a changed location that is below itself, below a parent of a wrong type, or above children of a wrong type.
 */
function assertValidPlacement(tree: StoredTree, changedLocation: StoredLocation): void {
  const misplacement = tree.with([changedLocation]).findMisplacement(changedLocation);
  if (misplacement) throw invalidRequest(misplacement);
}
