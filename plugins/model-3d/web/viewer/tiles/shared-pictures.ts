import { Texture } from 'three';
import { sharedPicture } from '../model-piece.ts';
import type { PictureLoader } from '../read-model.ts';
import type { FetchBytes } from './read-tiled-model.ts';

/** Pictures that tiles have in common: each is fetched once, and lies on the graphics card once. */
export class SharedPictures {
  readonly #fetch: FetchBytes;
  readonly #signal: AbortSignal;
  readonly #held = new Map<string, Promise<Texture>>();

  constructor(fetch: FetchBytes, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /**
   * A loader for one tile. `failed` is told of each picture that could not be had: the tile would be drawn without it.
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
    // What lies inside of a tile comes as a blob's address, and is nobody else's.
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
