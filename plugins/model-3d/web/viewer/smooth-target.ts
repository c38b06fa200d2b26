import {
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  WebGLRenderTarget,
  type Camera,
  type WebGLRenderer,
} from 'three';

/**
 * Renders a scene with four samples per pixel into a render target, and copies it onto the canvas. The canvas itself
 * has no antialiasing, so that frames can be rendered with and without it.
 */
export class SmoothTarget {
  readonly #target = new WebGLRenderTarget(1, 1, {
    samples: 4,
    colorSpace: SRGBColorSpace,
    internalFormat: 'RGBA8',
    stencilBuffer: false,
  });
  readonly #material = new ShaderMaterial({
    depthTest: false,
    depthWrite: false,
    uniforms: { picture: { value: this.#target.texture } },
    vertexShader:
      'varying vec2 coordinates; void main() { coordinates = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader:
      'uniform sampler2D picture; varying vec2 coordinates; void main() { gl_FragColor = texture2D(picture, coordinates); }',
  });
  readonly #quad = new Mesh(new PlaneGeometry(2, 2), this.#material);
  readonly #scene = new Scene().add(this.#quad);
  readonly #camera = new OrthographicCamera();

  constructor() {
    this.#quad.frustumCulled = false;
    // three.js encodes colours for the canvas and for XR targets. Blending encoded colours gives the same result as
    // without antialiasing, and the same shader programs draw both.
    Object.assign(this.#target, { isXRRenderTarget: true });
  }

  render(renderer: WebGLRenderer, scene: Scene, camera: Camera): void {
    const { width, height } = renderer.domElement;
    this.#target.setSize(width, height);
    renderer.setRenderTarget(this.#target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.render(this.#scene, this.#camera);
  }

  dispose(): void {
    this.#target.dispose();
    this.#quad.geometry.dispose();
    this.#material.dispose();
  }
}
