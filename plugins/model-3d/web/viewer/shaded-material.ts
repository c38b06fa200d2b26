import { DoubleSide, FrontSide, MeshLambertMaterial, type Texture } from 'three';

export interface ShadedMaterialOptions {
  readonly doubleSided: boolean;
  /** From 0 (invisible) to 1 (opaque). */
  readonly opacity: number;
  /** Pixels with a lower alpha are not drawn. 0 draws all pixels. */
  readonly alphaCutoff: number;
}

/**
 * Creates a matt material. It is darker where the line of sight grazes the surface, so that overlapping pipes have an
 * outline.
 */
export function createShadedMaterial(
  { doubleSided, opacity, alphaCutoff }: ShadedMaterialOptions,
  map: Texture | null = null,
): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    map,
    side: doubleSided ? DoubleSide : FrontSide,
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
    alphaTest: alphaCutoff,
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
