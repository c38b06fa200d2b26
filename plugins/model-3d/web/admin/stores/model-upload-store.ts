import { action, computed, makeObservable, observableRef } from 'mobx';
import type { SourceChoice } from '#core';
import { sendFiles, type HttpClient } from '#core/web';

/** A file that becomes a model of its own. */
export interface ModelUpload {
  readonly file: File;
  /** Name of the model. */
  readonly name: string;
  readonly state: 'WAITING' | 'SENDING' | 'SENT' | 'FAILED';
  /** The error of the upload. */
  readonly failure: unknown;
}

export interface SendOptions {
  readonly location: string;
  /** The length unit of the coordinates, or where it is read from. */
  readonly lengthUnit: SourceChoice;
  readonly signal: AbortSignal;
  /** Called after each sent file. */
  readonly onSent: () => void;
}

const maxNameLength = 120;
const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** A batch of files to upload. They are sent separately, so that one bad file does not stop the others. */
export class ModelUploadStore {
  uploads: readonly ModelUpload[] = [];
  /** Share of the total bytes that were sent, from 0 to 1. Undefined unless an upload is running. */
  progress: number | undefined = undefined;

  constructor() {
    makeObservable<this, 'update' | 'setProgress'>(this, {
      uploads: observableRef,
      progress: observableRef,
      failed: computed,
      add: action,
      rename: action,
      remove: action,
      update: action,
      setProgress: action,
    });
  }

  get failed(): readonly ModelUpload[] {
    return this.uploads.filter(({ state }) => state === 'FAILED');
  }

  /** Adds files that are not in the list yet. Proposes model names from the file names. */
  add(files: readonly File[]): void {
    const addedFiles = files.filter((file) => !this.uploads.some((upload) => isSameFile(upload.file, file)));
    this.uploads = [
      ...this.uploads,
      ...addedFiles.map((file) => ({
        file,
        name: file.name
          .replace(/\.[^.]+$/, '')
          .replaceAll(/[_\s]+/g, ' ')
          .trim()
          .slice(0, maxNameLength),
        state: 'WAITING' as const,
        failure: undefined,
      })),
    ];
  }

  rename(file: File, name: string): void {
    this.update(file, { name });
  }

  remove(file: File): void {
    this.uploads = this.uploads.filter((upload) => upload.file !== file);
  }

  /** Sends the files that were not sent yet, one after another. Ends early if the upload is aborted. */
  async send(http: HttpClient, { location, lengthUnit, signal, onSent }: SendOptions): Promise<void> {
    const unsentUploads = this.uploads.filter(({ state }) => state !== 'SENT');
    const totalBytes = Math.max(
      1,
      unsentUploads.reduce((sum, { file }) => sum + file.size, 0),
    );
    let sentBytes = 0;
    this.setProgress(0);
    for (const { file } of unsentUploads) {
      if (signal.aborted) break;
      this.update(file, { state: 'SENDING', failure: undefined });
      const name = this.uploads.find((upload) => upload.file === file)?.name.trim() ?? '';
      try {
        await sendFiles(http, `/api/model-3d/${encodeURIComponent(location)}/models`, [file], {
          fields: { unit: lengthUnit, name },
          signal,
          onProgress: (fraction) => this.setProgress((sentBytes + fraction * file.size) / totalBytes),
        });
        this.update(file, { state: 'SENT' });
        onSent();
      } catch (failure) {
        this.update(file, { state: 'FAILED', failure });
      }
      sentBytes += file.size;
      this.setProgress(sentBytes / totalBytes);
    }
    this.setProgress(undefined);
  }

  private update(file: File, changes: Partial<ModelUpload>): void {
    this.uploads = this.uploads.map((upload) => (upload.file === file ? { ...upload, ...changes } : upload));
  }

  private setProgress(progress: number | undefined): void {
    this.progress = progress;
  }
}
