import { vi } from 'vitest';
import type { ViewSurface } from '#plugins/tour';
import type { Shot, SnapshotCamera, TakenPicture } from '../../web/snapshots/viewer/snapshot-camera.ts';
import type { StoredImage, SnapshotImageStore } from '../../web/snapshots/stores/snapshot-image-store.ts';

/** jsdom cannot show blobs. */
export function nameBlobs(): void {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:taken', revokeObjectURL: () => undefined }));
}

/** Records its calls. The content of its pictures names what they show. */
export class FakeCamera implements SnapshotCamera {
  readonly developed: { readonly modules: readonly string[]; readonly burnMarks: boolean }[] = [];
  broken = false;

  async shoot({ module }: ViewSurface): Promise<Shot> {
    if (this.broken) throw new Error('No picture.');
    return { module, picture: new Blob([module]), marks: '', box: { left: 0, top: 0, width: 800, height: 600 } };
  }

  async develop(shots: readonly Shot[], burnMarks: boolean): Promise<TakenPicture> {
    const modules = shots.map(({ module }) => module);
    this.developed.push({ modules, burnMarks });
    return {
      picture: new Blob([modules.join(' ')], { type: 'image/jpeg' }),
      thumbnail: new Blob(['small'], { type: 'image/jpeg' }),
    };
  }
}

export class MemoryBox implements SnapshotImageStore {
  readonly images = new Map<string, StoredImage>();

  all(): Promise<readonly StoredImage[]> {
    return Promise.resolve([...this.images.values()]);
  }

  async put(image: StoredImage): Promise<void> {
    this.images.set(image.uid, image);
  }

  async delete(uid: string): Promise<void> {
    this.images.delete(uid);
  }
}
