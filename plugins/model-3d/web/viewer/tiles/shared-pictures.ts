import { Texture } from 'three';
import { sharedPicture } from '../model-piece.ts';
import type { PictureLoader } from '../read-model.ts';
import type { FetchBytes } from './read-tiled-model.ts';

/** Loads pictures that several tiles use. Each picture is fetched and uploaded to the graphics card once. */
export class SharedPictures {
  readonly #fetch: FetchBytes;
  readonly #signal: AbortSignal;
  readonly #cache = new Map<string, Promise<Texture>>();

  constructor(fetch: FetchBytes, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /** Creates the loader of one tile. `onFailed` is called for each picture that cannot be loaded. */
  createLoader(onFailed: (error: unknown) => void): PictureLoader {
    return {
      load: (url, onLoad, _, onError) => {
        this.#loadTexture(url).then(
          (texture) => onLoad(texture),
          (error: unknown) => {
            onFailed(error);
            onError(error);
          },
        );
      },
    };
  }

  async #loadTexture(url: string): Promise<Texture> {
    // Embedded pictures have blob URLs and are not shared.
    if (url.startsWith('blob:')) return createTexture(await decodeImage(url));
    const pendingTexture = this.#cache.get(url) ?? this.#fetchTexture(url);
    this.#cache.set(url, pendingTexture);
    pendingTexture.catch(() => this.#cache.delete(url));
    const texture = (await pendingTexture).clone();
    texture.needsUpdate = true;
    texture.userData[sharedPicture] = true;
    return texture;
  }

  async #fetchTexture(url: string): Promise<Texture> {
    const blobUrl = URL.createObjectURL(new Blob([await this.#fetch(url, this.#signal)]));
    try {
      return createTexture(await decodeImage(blobUrl));
    } finally {
      URL.revokeObjectURL(blobUrl);
    }
  }
}

function createTexture(image: HTMLImageElement): Texture {
  const texture = new Texture(image);
  texture.needsUpdate = true;
  return texture;
}

async function decodeImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
