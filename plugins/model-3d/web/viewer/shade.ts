import { DoubleSide, FrontSide, MeshLambertMaterial, type Texture } from 'three';

export interface ShadeOptions {
  readonly doubleSided: boolean;
  /** 1: opaque. */
  readonly opacity: number;
  /** Nothing is drawn below this alpha; 0 for no limit. */
  readonly cutout: number;
}

/**
 * Surface material: matt, lit by sky and sun, and darker where a surface turns away from the eye, so that overlapping
 * pipes have an outline.
 */
export function shade({ doubleSided, opacity, cutout }: ShadeOptions, map: Texture | null = null): MeshLambertMaterial {
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
