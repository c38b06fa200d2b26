import { vi } from 'vitest';
import type { ViewSurface } from '#plugins/tour';
import type { SurfaceCapture, SnapshotCamera, SnapshotPicture } from '../../web/snapshots/viewer/snapshot-camera.ts';
import type { StoredImage, SnapshotImageStore } from '../../web/snapshots/stores/snapshot-image-store.ts';

/** Stubs the addresses of blobs, which jsdom does not support. */
export function stubBlobUrls(): void {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:taken', revokeObjectURL: () => undefined }));
}

/** Records its calls. The content of a picture is the ids of the modules that it shows. */
export class FakeCamera implements SnapshotCamera {
  readonly merges: { readonly modules: readonly string[]; readonly includesMarks: boolean }[] = [];
  failing = false;

  async captureSurface({ module }: ViewSurface): Promise<SurfaceCapture> {
    if (this.failing) throw new Error('No picture.');
    return { module, picture: new Blob([module]), marks: '', box: { left: 0, top: 0, width: 800, height: 600 } };
  }

  async mergeCaptures(captures: readonly SurfaceCapture[], includesMarks: boolean): Promise<SnapshotPicture> {
    const modules = captures.map(({ module }) => module);
    this.merges.push({ modules, includesMarks });
    return {
      picture: new Blob([modules.join(' ')], { type: 'image/jpeg' }),
      thumbnail: new Blob(['small'], { type: 'image/jpeg' }),
    };
  }
}

export class MemoryImageStore implements SnapshotImageStore {
  readonly images = new Map<string, StoredImage>();

  loadAll(): Promise<readonly StoredImage[]> {
    return Promise.resolve([...this.images.values()]);
  }

  async put(image: StoredImage): Promise<void> {
    this.images.set(image.uid, image);
  }

  async delete(uid: string): Promise<void> {
    this.images.delete(uid);
  }
}
