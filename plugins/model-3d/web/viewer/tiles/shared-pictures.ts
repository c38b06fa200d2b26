import { Texture } from 'three';
import { sharedPicture } from '../model-piece.ts';
import type { PictureLoader } from '../read-model.ts';
import type { FetchBytes } from './read-tiled-model.ts';

/** Pictures that tiles share: each is fetched once, and is once on the graphics card. */
export class SharedPictures {
  readonly #fetch: FetchBytes;
  readonly #signal: AbortSignal;
  readonly #held = new Map<string, Promise<Texture>>();

  constructor(fetch: FetchBytes, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /**
   * A loader for one tile. `failed` is called for each picture that cannot be loaded, without which the tile would be
   * drawn.
   */
  loader(failed: (error: unknown) => void): PictureLoader {
    return {
      load: (address, onLoad, _, onError) => {
        this.#texture(address).then(
          (texture) => onLoad(texture),
          (error: unknown) => {
            failed(error);
            onError(error);
          },
        );
      },
    };
  }

  async #texture(address: string): Promise<Texture> {
    // Embedded pictures have a blob's address and are not shared.
    if (address.startsWith('blob:')) return createTexture(await decode(address));
    const held = this.#held.get(address) ?? this.#get(address);
    this.#held.set(address, held);
    held.catch(() => this.#held.delete(address));
    const own = (await held).clone();
    own.needsUpdate = true;
    own.userData[sharedPicture] = true;
    return own;
  }

  async #get(address: string): Promise<Texture> {
    const own = URL.createObjectURL(new Blob([await this.#fetch(address, this.#signal)]));
    try {
      return createTexture(await decode(own));
    } finally {
      URL.revokeObjectURL(own);
    }
  }
}

function createTexture(image: HTMLImageElement): Texture {
  const texture = new Texture(image);
  texture.needsUpdate = true;
  return texture;
}

async function decode(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}
