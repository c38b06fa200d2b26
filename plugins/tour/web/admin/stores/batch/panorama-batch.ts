import { action, computed, makeObservable, observableRef } from 'mobx';
import { dayAt, noonAt, normalizePan, type CalendarDay } from '#core';
import { ApiError, sendFiles, type HttpClient } from '#core/web';
import { matchPanoramas } from '../../../../common/match-panoramas.ts';
import { findCaptureTime } from '../../../../common/picture-facts.ts';
import type { locatePanoramas, NodePanoramas } from '../../../../contract/api/admin.ts';
import { maxPlacesPerRequest } from '../../../../contract/values/content-values.ts';
import { BatchFile } from './batch-file.ts';
import { readFileFacts } from './read-file-facts.ts';

export interface BatchPlace {
  readonly location: string;
  /** IANA name of the site's time zone. */
  readonly timeZone: string;
  /** Degrees clockwise from true north to the site's north. */
  readonly rotation: number;
}

/** Why a file is not sent. */
export const batchProblems = ['cropped', 'unassigned', 'undated', 'future', 'twice'] as const;
export type BatchProblem = (typeof batchProblems)[number];

/** Refusals of one file. Others, such as a lost connection or a full disk, concern all. */
const fileStatuses: readonly number[] = [400, 404, 409, 413, 415];
const parallelReads = 4;
const parallelUploads = 2;

/**
 * Panoramas that are uploaded together. Each file finds its viewpoint, or the person chooses it. Each is sent by a
 * request of its own, so that a bad one stops no other. What failed can be sent again.
 */
export class PanoramaBatch {
  files: readonly BatchFile[] = [];
  nodes: readonly NodePanoramas[];
  /** Number of files whose metadata were read. */
  readCount = 0;
  /** Day of files that do not say when they were captured. Empty for none. */
  day: CalendarDay = '';
  usesHeadings = false;
  levels = true;
  isReading = false;
  isSending = false;
  /** Why the last upload stopped before its end. */
  failure: unknown = undefined;
  readonly #http: HttpClient;
  readonly #place: BatchPlace;
  #abort = new AbortController();

  constructor(http: HttpClient, place: BatchPlace, nodes: readonly NodePanoramas[]) {
    this.#http = http;
    this.#place = place;
    this.nodes = nodes;
    makeObservable<this, 'setProgress'>(this, {
      files: observableRef,
      nodes: observableRef,
      readCount: observableRef,
      day: observableRef,
      usesHeadings: observableRef,
      levels: observableRef,
      isReading: observableRef,
      isSending: observableRef,
      failure: observableRef,
      problems: computed,
      sendable: computed,
      set: action,
      setProgress: action,
    });
  }

  set(changes: Partial<Pick<PanoramaBatch, 'day' | 'usesHeadings' | 'levels' | 'nodes'>>): void {
    Object.assign(this, changes);
  }

  /** Replaces the files, reads their metadata and finds their viewpoints. */
  async choose(files: readonly File[]): Promise<void> {
    this.stop();
    const { signal } = (this.#abort = new AbortController());
    const rows = files.map((file, index) => new BatchFile(index, file));
    this.setProgress({ files: rows, readCount: 0, isReading: true, failure: undefined });
    try {
      await forEach(rows, parallelReads, async (row) => {
        if (signal.aborted) return;
        row.setFacts(await readFileFacts(row.file));
        if (!signal.aborted) this.setProgress({ readCount: this.readCount + 1 });
      });
      // Files find their viewpoints by name and time if their places are not known.
      await this.#locate(rows, signal).catch((failure: unknown) => {
        if (!signal.aborted) this.setProgress({ failure });
      });
      if (!signal.aborted) this.match();
    } finally {
      if (!signal.aborted) this.setProgress({ isReading: false });
    }
  }

  /** Finds the viewpoints of files that have none. */
  match(): void {
    const open = this.files.filter(({ match, isSent }) => !match && !isSent);
    const assigned = new Set(this.files.map(({ match }) => match?.node));
    const found = matchPanoramas(
      open.map((row) => ({
        name: row.file.name,
        capturedAt: findCaptureTime(row.facts, this.#place.timeZone)?.getTime(),
        place: row.position && [row.position[0], row.position[1]],
      })),
      this.nodes
        .filter(({ node }) => !assigned.has(node))
        .map(({ node, code, posedAt, position: [east, north] }) => ({
          uid: node,
          code,
          posedAt: posedAt === null ? undefined : Date.parse(posedAt),
          place: [east, north],
        })),
    );
    for (const [index, row] of open.entries()) row.assign(found[index]);
  }

  /** When a file was captured, or noon of `day` if it does not say. */
  captureTime(row: BatchFile): Date | undefined {
    const { timeZone } = this.#place;
    return findCaptureTime(row.facts, timeZone) ?? (this.day === '' ? undefined : noonAt(this.day, timeZone));
  }

  /** Degrees clockwise from the site's north. Undefined if the file does not say. */
  siteHeading({ facts: { heading } }: BatchFile): number | undefined {
    return heading === undefined ? undefined : normalizePan(heading - this.#place.rotation);
  }

  /** The problem of each file that cannot be sent. */
  get problems(): ReadonlyMap<BatchFile, BatchProblem> {
    const { timeZone } = this.#place;
    const today = dayAt(new Date(), timeZone);
    const problems = new Map<BatchFile, BatchProblem>();
    const byTarget = new Map<string, BatchFile>();
    for (const row of this.files) {
      const time = this.captureTime(row);
      if (row.facts.cropped) problems.set(row, 'cropped');
      else if (!row.match) problems.set(row, 'unassigned');
      else if (!time) problems.set(row, 'undated');
      else if (dayAt(time, timeZone) > today) problems.set(row, 'future');
      else {
        const target = `${row.match.node} ${dayAt(time, timeZone)}`;
        const other = byTarget.get(target);
        if (other) {
          problems.set(row, 'twice');
          if (!other.isSent) problems.set(other, 'twice');
        } else byTarget.set(target, row);
      }
    }
    return problems;
  }

  get sendable(): readonly BatchFile[] {
    return this.files.filter((row) => !row.isSent && !this.problems.has(row));
  }

  /** Sends what can be sent. A file that the server refuses stops no other; a broken connection stops all. */
  async send(): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    this.setProgress({ isSending: true, failure: undefined });
    try {
      await forEach(this.sendable, parallelUploads, async (row) => {
        if (!signal.aborted) await this.#send(row, signal);
      });
    } catch (failure) {
      this.#abort.abort();
      this.setProgress({ failure });
    } finally {
      this.setProgress({ isSending: false });
    }
  }

  stop(): void {
    this.#abort.abort();
  }

  async #send(row: BatchFile, signal: AbortSignal): Promise<void> {
    const heading = this.usesHeadings ? this.siteHeading(row) : undefined;
    row.report('SENDING');
    try {
      const reply = await sendFiles<{ readonly jobs: readonly string[] }>(
        this.#http,
        `/api/tour/${encodeURIComponent(this.#place.location)}/panoramas`,
        [row.file],
        {
          query: {
            node: row.match?.node ?? '',
            capturedAt: this.captureTime(row)?.toISOString() ?? '',
            ...(heading === undefined ? {} : { heading: String(heading) }),
            ...(this.levels ? {} : { pitch: '0', roll: '0' }),
          },
          signal,
          onProgress: (share) => row.report('SENDING', { share }),
        },
      );
      row.report(reply.jobs.length === 0 ? 'UNCHANGED' : 'SENT');
    } catch (failure) {
      if (!signal.aborted && failure instanceof ApiError && fileStatuses.includes(failure.status))
        return row.report('FAILED', { failure });
      row.report('WAITING');
      if (!signal.aborted) throw failure;
    }
  }

  async #locate(rows: readonly BatchFile[], signal: AbortSignal): Promise<void> {
    const located = rows.flatMap((row) => (row.facts.place ? [{ row, place: row.facts.place }] : []));
    for (let start = 0; start < located.length; start += maxPlacesPerRequest) {
      const part = located.slice(start, start + maxPlacesPerRequest);
      const places = part.map(({ place: { latitude, longitude, height } }) => ({
        latitude,
        longitude,
        height: height ?? null,
      }));
      const { positions } = await this.#http.call<typeof locatePanoramas>(
        'POST',
        '/api/tour/:location/panorama-positions',
        { params: { location: this.#place.location }, body: { places } },
        { signal },
      );
      for (const [index, { row }] of part.entries()) row.setPosition(positions[index] ?? undefined);
    }
  }

  private setProgress(
    changes: Partial<Pick<PanoramaBatch, 'files' | 'readCount' | 'isReading' | 'isSending' | 'failure'>>,
  ): void {
    Object.assign(this, changes);
  }
}

/** Runs `work` for each item, several at a time, in order. Rejects with the first failure. */
async function forEach<T>(items: readonly T[], parallel: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
