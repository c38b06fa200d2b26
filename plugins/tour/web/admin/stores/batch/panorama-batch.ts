import { action, computed, makeObservable, observableRef } from 'mobx';
import { dayAt, noonAt, normalizePan, type CalendarDay } from '#core';
import { ApiError, sendFiles, type HttpClient } from '#core/web';
import { matchPanoramas } from '../../../../common/match-panoramas.ts';
import { findCaptureTime, findPictureTilt } from '../../../../common/picture-metadata.ts';
import type { locatePanoramas, NodePanoramas } from '../../../../contract/api/admin.ts';
import { maxPlacesPerRequest } from '../../../../contract/values/content-values.ts';
import { BatchFile } from './batch-file.ts';
import { readFileMetadata } from './read-file-metadata.ts';

/** The location of a batch, with the time zone and north direction of its site. */
export interface BatchSite {
  readonly location: string;
  /** IANA name of the site's time zone. */
  readonly timeZone: string;
  /** Degrees clockwise from true north to the site's north. */
  readonly rotation: number;
}

/** Why a file is not sent. */
export const batchProblems = ['cropped', 'unassigned', 'undated', 'future', 'duplicate'] as const;
export type BatchProblem = (typeof batchProblems)[number];

/** HTTP statuses of refusals of one file. Other failures, such as a lost connection, stop the upload. */
const fileErrorStatuses: readonly number[] = [400, 404, 409, 413, 415];
const maxParallelReads = 4;
const maxParallelUploads = 2;

/**
 * Panoramas that are uploaded together. Each file is assigned to a node by its metadata or by the person. Each file is
 * sent in a separate request, so that a bad file does not stop the others. Failed files can be sent again.
 */
export class PanoramaBatch {
  files: readonly BatchFile[] = [];
  nodes: readonly NodePanoramas[];
  /** The number of files whose metadata were read. */
  readCount = 0;
  /** Capture date of files without a time in their metadata. Empty if the person has not entered one. */
  defaultCaptureDate: CalendarDay = '';
  shouldUseHeadings = false;
  shouldLevel = true;
  isReading = false;
  isSending = false;
  /** The error that stopped the last upload, or the conversion of positions. */
  failure: unknown = undefined;
  readonly #http: HttpClient;
  readonly #site: BatchSite;
  #abort = new AbortController();

  constructor(http: HttpClient, site: BatchSite, nodes: readonly NodePanoramas[]) {
    this.#http = http;
    this.#site = site;
    this.nodes = nodes;
    makeObservable<this, 'setProgress'>(this, {
      files: observableRef,
      nodes: observableRef,
      readCount: observableRef,
      defaultCaptureDate: observableRef,
      shouldUseHeadings: observableRef,
      shouldLevel: observableRef,
      isReading: observableRef,
      isSending: observableRef,
      failure: observableRef,
      tiltedCount: computed,
      tiltByNode: computed,
      problems: computed,
      sendableFiles: computed,
      set: action,
      setProgress: action,
    });
  }

  set(
    changes: Partial<Pick<PanoramaBatch, 'defaultCaptureDate' | 'shouldUseHeadings' | 'shouldLevel' | 'nodes'>>,
  ): void {
    Object.assign(this, changes);
  }

  /** Replaces the files, reads their metadata and assigns them to nodes. */
  async chooseFiles(files: readonly File[]): Promise<void> {
    this.stop();
    const { signal } = (this.#abort = new AbortController());
    const batchFiles = files.map((file, index) => new BatchFile(index, file));
    this.setProgress({ files: batchFiles, readCount: 0, isReading: true, failure: undefined });
    try {
      await runInParallel(batchFiles, maxParallelReads, async (batchFile) => {
        if (signal.aborted) return;
        batchFile.setMetadata(await readFileMetadata(batchFile.file));
        if (!signal.aborted) this.setProgress({ readCount: this.readCount + 1 });
      });
      // Without positions, files are still matched by name and time.
      await this.#loadPositions(batchFiles, signal).catch((failure: unknown) => {
        if (!signal.aborted) this.setProgress({ failure });
      });
      if (!signal.aborted) this.matchNodes();
    } finally {
      if (!signal.aborted) this.setProgress({ isReading: false });
    }
  }

  /** Assigns unassigned files to nodes by name, time or position. */
  matchNodes(): void {
    const unassignedFiles = this.files.filter(({ assignment, isSent }) => !assignment && !isSent);
    const assignedNodes = new Set(this.files.map(({ assignment }) => assignment?.nodeUid));
    const matches = matchPanoramas(
      unassignedFiles.map((batchFile) => ({
        name: batchFile.file.name,
        capturedAt: findCaptureTime(batchFile.metadata, this.#site.timeZone)?.getTime(),
        eastNorth: batchFile.position && [batchFile.position[0], batchFile.position[1]],
      })),
      this.nodes
        .filter(({ node: nodeUid }) => !assignedNodes.has(nodeUid))
        .map(({ node: nodeUid, code, posedAt, position: [east, north] }) => ({
          uid: nodeUid,
          code,
          posedAt: posedAt === null ? undefined : Date.parse(posedAt),
          eastNorth: [east, north],
        })),
    );
    for (const [index, batchFile] of unassignedFiles.entries()) batchFile.assign(matches[index]);
  }

  /** Returns the time in the file's metadata, or noon of `defaultCaptureDate` if the metadata have no time. */
  findCaptureTimeOrDefault(batchFile: BatchFile): Date | undefined {
    const { timeZone } = this.#site;
    return (
      findCaptureTime(batchFile.metadata, timeZone) ??
      (this.defaultCaptureDate === '' ? undefined : noonAt(this.defaultCaptureDate, timeZone))
    );
  }

  /** Returns degrees clockwise from the site's north. Undefined if the file's metadata have no heading. */
  findSiteHeading({ metadata: { heading } }: BatchFile): number | undefined {
    return heading === undefined ? undefined : normalizePan(heading - this.#site.rotation);
  }

  /** The number of files with a tilted camera, by their metadata or by the poses of their nodes. */
  get tiltedCount(): number {
    return this.files.filter((batchFile) => this.findTilt(batchFile) !== undefined).length;
  }

  /** Pitch and roll in degrees of a tilted camera, by the metadata of the file or by the pose of its node. */
  findTilt({ metadata, assignment }: BatchFile): { readonly pitch: number; readonly roll: number } | undefined {
    const tilt = findPictureTilt(metadata, this.tiltByNode.get(assignment?.nodeUid ?? '') ?? null);
    return tilt.pitch === 0 && tilt.roll === 0 ? undefined : tilt;
  }

  get tiltByNode(): ReadonlyMap<string, NodePanoramas['posedTilt']> {
    return new Map(this.nodes.map(({ node: nodeUid, posedTilt }) => [nodeUid, posedTilt]));
  }

  /** The problem of each file that cannot be sent. */
  get problems(): ReadonlyMap<BatchFile, BatchProblem> {
    const { timeZone } = this.#site;
    const today = dayAt(new Date(), timeZone);
    const problems = new Map<BatchFile, BatchProblem>();
    const fileByTarget = new Map<string, BatchFile>();
    for (const batchFile of this.files) {
      const time = this.findCaptureTimeOrDefault(batchFile);
      if (batchFile.metadata.cropped) problems.set(batchFile, 'cropped');
      else if (!batchFile.assignment) problems.set(batchFile, 'unassigned');
      else if (!time) problems.set(batchFile, 'undated');
      else if (dayAt(time, timeZone) > today) problems.set(batchFile, 'future');
      else {
        const target = `${batchFile.assignment.nodeUid} ${dayAt(time, timeZone)}`;
        const otherFile = fileByTarget.get(target);
        if (otherFile) {
          problems.set(batchFile, 'duplicate');
          if (!otherFile.isSent) problems.set(otherFile, 'duplicate');
        } else fileByTarget.set(target, batchFile);
      }
    }
    return problems;
  }

  get sendableFiles(): readonly BatchFile[] {
    return this.files.filter((batchFile) => !batchFile.isSent && !this.problems.has(batchFile));
  }

  /** Uploads the sendable files. A refused file does not stop the upload. Any other failure does. */
  async send(): Promise<void> {
    const { signal } = (this.#abort = new AbortController());
    this.setProgress({ isSending: true, failure: undefined });
    try {
      await runInParallel(this.sendableFiles, maxParallelUploads, async (batchFile) => {
        if (!signal.aborted) await this.#send(batchFile, signal);
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

  async #send(batchFile: BatchFile, signal: AbortSignal): Promise<void> {
    const heading = this.shouldUseHeadings ? this.findSiteHeading(batchFile) : undefined;
    batchFile.setUploadState('SENDING');
    try {
      const reply = await sendFiles<{ readonly jobs: readonly string[] }>(
        this.#http,
        `/api/tour/${encodeURIComponent(this.#site.location)}/panoramas`,
        [batchFile.file],
        {
          query: {
            node: batchFile.assignment?.nodeUid ?? '',
            capturedAt: this.findCaptureTimeOrDefault(batchFile)?.toISOString() ?? '',
            ...(heading === undefined ? {} : { heading: String(heading) }),
            ...(this.shouldLevel ? {} : { pitch: '0', roll: '0' }),
          },
          signal,
          onProgress: (fraction) => batchFile.setUploadState('SENDING', { fraction }),
        },
      );
      batchFile.setUploadState(reply.jobs.length === 0 ? 'UNCHANGED' : 'SENT');
    } catch (failure) {
      if (!signal.aborted && failure instanceof ApiError && fileErrorStatuses.includes(failure.status))
        return batchFile.setUploadState('FAILED', { failure });
      batchFile.setUploadState('WAITING');
      if (!signal.aborted) throw failure;
    }
  }

  async #loadPositions(batchFiles: readonly BatchFile[], signal: AbortSignal): Promise<void> {
    const filesWithGps = batchFiles.flatMap((batchFile) =>
      batchFile.metadata.gpsPosition ? [{ batchFile, gpsPosition: batchFile.metadata.gpsPosition }] : [],
    );
    for (let start = 0; start < filesWithGps.length; start += maxPlacesPerRequest) {
      const chunk = filesWithGps.slice(start, start + maxPlacesPerRequest);
      const gpsPositions = chunk.map(({ gpsPosition: { latitude, longitude, height } }) => ({
        latitude,
        longitude,
        height: height ?? null,
      }));
      const { positions } = await this.#http.call<typeof locatePanoramas>(
        'POST',
        '/api/tour/:location/panorama-positions',
        { params: { location: this.#site.location }, body: { places: gpsPositions } },
        { signal },
      );
      for (const [index, { batchFile }] of chunk.entries()) batchFile.setPosition(positions[index] ?? undefined);
    }
  }

  private setProgress(
    changes: Partial<Pick<PanoramaBatch, 'files' | 'readCount' | 'isReading' | 'isSending' | 'failure'>>,
  ): void {
    Object.assign(this, changes);
  }
}

/** Runs `work` for each item, at most `maxParallel` at a time, starting in array order. Rejects with the first failure. */
async function runInParallel<T>(
  items: readonly T[],
  maxParallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: maxParallel }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
