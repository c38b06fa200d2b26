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
      load: (address, onLoad, _, onError) => {
        this.#loadTexture(address).then(
          (texture) => onLoad(texture),
          (error: unknown) => {
            onFailed(error);
            onError(error);
          },
        );
      },
    };
  }

  async #loadTexture(address: string): Promise<Texture> {
    // Embedded pictures have the address of a blob and are not shared.
    if (address.startsWith('blob:')) return createTexture(await decodeImage(address));
    const pendingTexture = this.#cache.get(address) ?? this.#fetchTexture(address);
    this.#cache.set(address, pendingTexture);
    pendingTexture.catch(() => this.#cache.delete(address));
    const texture = (await pendingTexture).clone();
    texture.needsUpdate = true;
    texture.userData[sharedPicture] = true;
    return texture;
  }

  async #fetchTexture(address: string): Promise<Texture> {
    const blobAddress = URL.createObjectURL(new Blob([await this.#fetch(address, this.#signal)]));
    try {
      return createTexture(await decodeImage(blobAddress));
    } finally {
      URL.revokeObjectURL(blobAddress);
    }
  }
}

function createTexture(image: HTMLImageElement): Texture {
  const texture = new Texture(image);
  texture.needsUpdate = true;
  return texture;
}

async function decodeImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}
