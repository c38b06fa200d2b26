import { DoubleSide, FrontSide, MeshLambertMaterial, type Texture } from 'three';

export interface ShadedMaterialOptions {
  readonly doubleSided: boolean;
  /** 1 is opaque. */
  readonly opacity: number;
  /** Pixels with a lower alpha are not drawn. 0 draws all pixels. */
  readonly cutout: number;
}

/**
 * Creates a matt material that is lit by sky and sun. It is darker where the surface turns away from the eye, so that
 * overlapping pipes have an outline.
 */
export function createShadedMaterial(
  { doubleSided, opacity, cutout }: ShadedMaterialOptions,
  map: Texture | null = null,
): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    map,
    side: doubleSided ? DoubleSide : FrontSide,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
    alphaTest: cutout,
  });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float facing = abs(dot(normalize(normal), normalize(vViewPosition)));
      outgoingLight *= mix(0.62, 1.0, smoothstep(0.0, 0.42, facing));
      #include <opaque_fragment>`,
    );
  };
  material.customProgramCacheKey = () => 'shade';
  return material;
}
